import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  InputRequests,
  InputResponses,
} from '@modelcontextprotocol/client'
import { TurnbuckleError } from '../core/base/errors.ts'
import type { Message, Part } from '../core/base/message.ts'
import { stripControls } from '../tools/control.ts'
import { readContent } from './mcp-tool.ts'
import type { OpenCall } from './open-calls.ts'
import type { Patience } from './patience.ts'

/** A call of ours that a server works on. */
export interface WorkedCall {
  readonly call: OpenCall
  readonly patience: Patience
  /** Aborted when the call has its result: nobody needs the answer to its question any more. */
  readonly over: AbortSignal
}

type Roots = readonly { readonly uri: string; readonly name?: string }[]

/** The answer of a person who does not want to give one; a field of the payload, so that a form can offer it. */
const decline = { action: 'decline' }
const refusal = {
  type: 'object',
  properties: { action: { enum: ['decline', 'cancel'] } },
  required: ['action'],
  additionalProperties: false,
}

/**
 * Puts what a server asks for to the person of the call that it works on. Revisions up to 2025-11-25 do not say which call that is:
 * then it is asked only where all open calls are of one conversation, because a question must not reach somebody else.
 */
export class ServerQuestions {
  readonly #server: string
  readonly #worked = new Set<WorkedCall>()

  constructor(server: string) {
    this.#server = server
  }

  /** Does the work of a call; questions that come meanwhile may be about it. */
  async during<Result>(worked: WorkedCall | undefined, work: () => Promise<Result>): Promise<Result> {
    if (!worked) return work()
    this.#worked.add(worked)
    try {
      return await work()
    } finally {
      this.#worked.delete(worked)
    }
  }

  /** The call that a question is about, where that is clear. */
  get asked(): WorkedCall | undefined {
    const [first, ...others] = this.#worked
    const id = first?.call.conversation.id
    return others.every(({ call }) => call.conversation.id === id) ? first : undefined
  }

  /** The answer to a server's question. Where nobody can be asked it is cancelled. */
  async elicit(
    params: ElicitRequestParams,
    worked: WorkedCall | undefined = this.asked,
    withdrawn?: AbortSignal,
  ): Promise<ElicitResult> {
    if (!worked) return { action: 'cancel' }
    const { call, patience } = worked
    const url = params.mode === 'url' ? webAddress(params.url) : undefined
    if (params.mode === 'url' && url === undefined) return { action: 'decline' }
    const schema = params.mode === 'url' ? { type: 'object', properties: {} } : { ...params.requestedSchema }
    const payload = {
      server: this.#server,
      callId: call.call.id,
      question: stripControls(`${this.#server} asks: ${params.message}${url === undefined ? '' : ` (open ${url})`}`),
      schema,
      decline,
      ...(url === undefined ? {} : { url }),
    }
    const asking = call.ask('elicitation', payload, {
      fallback: { action: 'cancel' },
      schema: { anyOf: [refusal, schema] },
      onOpen: id => expireWith(call, id, withdrawn, worked.over),
    })
    const answer = await patience.during(asking)
    const refused = refusedAction(answer)
    if (refused) return { action: refused }
    return params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: answer as never }
  }

  /** A reply of the agent's own model for a server, if the person allows it. Counted and limited like a hook's own model call. */
  async sample(
    params: CreateMessageRequestParams,
    worked: WorkedCall | undefined = this.asked,
    withdrawn?: AbortSignal,
  ): Promise<CreateMessageResult> {
    if (!worked) throw new TurnbuckleError('mcp.unanswered', 'Nobody can be asked whether the model may be used.')
    const { call, patience } = worked
    const { messages, systemPrompt = '', maxTokens, temperature, stopSequences } = params
    const payload = {
      id: call.call.id,
      name: `${this.#server} (a reply of your model)`,
      args: { messages, ...(systemPrompt ? { systemPrompt } : {}), maxTokens },
      reason: `The server "${this.#server}" asks for a reply of your model.`,
      scopes: ['once'],
    }
    const onOpen = (id: string) => expireWith(call, id, withdrawn, worked.over)
    const answer = await patience.during(call.ask('permission', payload, { fallback: 'deny', onOpen }))
    if (answer.decision === 'deny')
      throw new TurnbuckleError('mcp.denied', answer.reason ?? 'The person did not allow it.')
    const { model } = call.agent
    const generating = call.generate(model, {
      messages: messages.map(readMessage),
      instructions: stripControls(systemPrompt),
      params: {
        maxOutputTokens: maxTokens,
        ...(temperature === undefined ? {} : { temperature }),
        ...(stopSequences ? { stopSequences } : {}),
      },
    })
    const { text } = await patience.during(generating)
    return { role: 'assistant', model: model.id, content: { type: 'text', text }, stopReason: 'endTurn' }
  }

  /** The answers to a result that asks for input, one after the other: a person is asked one thing at a time. */
  async answerAll(requests: InputRequests, worked: WorkedCall | undefined, roots: Roots): Promise<InputResponses> {
    const responses: Record<string, InputResponses[string]> = {}
    for (const [key, request] of Object.entries(requests)) {
      if (request.method === 'elicitation/create') responses[key] = await this.elicit(request.params, worked)
      else if (request.method === 'sampling/createMessage') responses[key] = await this.sample(request.params, worked)
      else responses[key] = { roots: roots.map(root => ({ ...root })) }
    }
    return responses
  }
}

function refusedAction(answer: unknown): 'decline' | 'cancel' | undefined {
  const { action, ...rest } = (answer ?? {}) as { readonly action?: unknown }
  return (action === 'decline' || action === 'cancel') && !Object.keys(rest).length ? action : undefined
}

/** A question that its server has withdrawn, or whose call is over, ends unanswered. */
function expireWith(call: OpenCall, requestId: string, ...signals: readonly (AbortSignal | undefined)[]): void {
  const expire = () => {
    try {
      call.turn.expire(requestId)
    } catch {
      // Somebody has answered it, or the turn is over.
    }
  }
  for (const signal of signals) signal?.addEventListener('abort', expire, { once: true })
}

/** An address that a browser may open for a server; nothing that could run here. */
function webAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined
}

function readMessage({ role, content }: CreateMessageRequestParams['messages'][number], index: number): Message {
  const parts = [content].flat().flatMap((part): Part[] => {
    if (part.type === 'tool_use' || part.type === 'tool_result') return []
    const read = readContent(part)
    return [typeof read === 'string' ? { type: 'text', text: read } : (read as Part)]
  })
  return { id: `sampling_${index}`, role, content: parts }
}
