import { messageOf } from '../core/base/errors.ts'
import type { ClaudeEvent } from './claude-events.ts'
import { type AgentHandler, isRecord, type PromptHandler } from './hook-handler.ts'
import { type HookVerdict, readHookRun } from './read-hook-run.ts'

/** Puts a question to a model or an agent and gives its text. */
export type AskJudge = (prompt: string) => Promise<string>

/** Events at which a model's no ends the turn, unless the hook says otherwise. */
const endsTurn: ReadonlySet<ClaudeEvent> = new Set(['PreToolUse', 'PostToolUse'])
const form = 'Answer with JSON only: {"ok": true} or {"ok": false, "reason": "…"}'

/**
 * Has a model or an agent judge an event: `{ "ok": false }` is a no, and anything that is no such answer is none. An agent's no is as that of a
 * prompt with `continueOnBlock`. Never rejects.
 */
export async function judgeEvent(
  event: ClaudeEvent,
  handler: PromptHandler | AgentHandler,
  json: string,
  { label, ms, ask }: { readonly label: string; readonly ms: number; readonly ask: AskJudge | undefined },
): Promise<HookVerdict> {
  const nothing: HookVerdict = { context: [], notices: [] }
  // A no means nothing where a person is about to be asked.
  if (!ask || event === 'PermissionRequest') return nothing
  const { prompt } = handler
  const asked = prompt.includes('$ARGUMENTS') ? prompt.replaceAll('$ARGUMENTS', () => json) : `${prompt}\n\n${json}`
  try {
    const text = await before(ms, ask(`${asked}\n\n${form}`))
    const answer: unknown = JSON.parse(/\{[\s\S]*\}/.exec(text)?.[0] ?? '')
    if (!isRecord(answer) || answer.ok !== false) return nothing
    const reason = typeof answer.reason === 'string' ? answer.reason : `${label} said no.`
    const isStop = event === 'Stop' || event === 'SubagentStop'
    if (isStop && handler.type === 'prompt' && answer.impossible === true) return nothing
    const verdict = readHookRun(event, { exit: 2, stdout: '', stderr: reason }, label)
    const goesOn = handler.type === 'agent' || handler.continueOnBlock
    return endsTurn.has(event) && !goesOn ? { ...verdict, stop: reason } : verdict
  } catch (error) {
    return { ...nothing, notices: [`${label}: ${messageOf(error)}`], failed: true }
  }
}

/** The value, or an error when the milliseconds are over. */
async function before<Value>(ms: number, coming: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, ms, new Error('it took too long; what it says does not count'))
  })
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}
