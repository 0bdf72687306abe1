import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/client'
import { TurnbuckleError } from '../core/base/errors.ts'
import type { ToolContext } from '../core/types/tool-context.ts'
import type { OpenCall } from './open-calls.ts'
import { Patience } from './patience.ts'
import type { ServerLink } from './server-link.ts'

interface ServerCall {
  readonly name: string
  readonly arguments: Record<string, unknown>
}

/** The most rounds of questions that one call may have. */
const maxRounds = 10
/** The longest that a timer can wait: the time of a call is `Patience`'s business. */
const forever = 2 ** 31 - 1

/** Calls a server's tool, tells its progress, and answers what the server asks before it gives the result. */
export async function callServerTool(
  link: ServerLink,
  call: ServerCall,
  ctx: ToolContext,
  open: OpenCall | undefined,
): Promise<CallToolResult> {
  const patience = new Patience(link.timeout)
  const over = new AbortController()
  const worked = open && { call: open, patience, over: over.signal }
  const signal = AbortSignal.any([ctx.signal, patience.signal])
  const onprogress = (progress: object) => {
    patience.restart()
    ctx.emit({ type: 'tool.progress', callId: ctx.call.id, ...progress })
  }
  const ask = (more: object) =>
    link.request<CallToolResult | InputRequiredResult>(client =>
      client.callTool({ ...call, ...more }, { signal, onprogress, timeout: forever, allowInputRequired: true }),
    )
  try {
    return await link.questions.during(worked, async () => {
      let answer = await ask({})
      for (let round = 0; isUnfinished(answer); round++) {
        if (round === maxRounds) throw new TurnbuckleError('mcp.rounds', `"${link.name}" asks without end.`)
        const { inputRequests = {}, requestState } = answer
        const inputResponses = await link.questions.answerAll(inputRequests, worked, link.roots)
        answer = await ask({ inputResponses, ...(requestState === undefined ? {} : { requestState }) })
      }
      return answer
    })
  } finally {
    patience.end()
    over.abort()
  }
}

const isUnfinished = (answer: CallToolResult | InputRequiredResult): answer is InputRequiredResult =>
  (answer as { readonly resultType?: unknown }).resultType === 'input_required'
