import { demand, messageOf } from '../base/errors.ts'
import { asMessage, type Message, textOf } from '../base/message.ts'
import { plus } from '../base/usage-sums.ts'
import { directiveTable } from '../directives/directives.ts'
import { outcomeOf } from '../directives/resolve.ts'
import { nodeAt } from '../history/tree.ts'
import { usedBy } from '../model/usage.ts'
import { doneEnding } from '../state/turn-ending.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnResult } from '../types/turn.ts'
import type { TurnState } from '../types/turn-state.ts'
import { hookValues } from './hook-values.ts'

/** The turn's result as things stand. */
export function turnResult(turn: TurnState): TurnResult {
  const { status, reason, by, error } = turn.steering.ending ?? doneEnding
  const messages = ownMessages(turn)
  const text = textOf(messages.findLast(message => message.role === 'assistant'))
  const { finishReason } = turn.step
  const { modelStages: steps } = turn.spent
  const result = { status, text, reason, by, steps, usage: usedBy(turn), messages, ...hookValues(turn) }
  if (error === undefined && finishReason === undefined) return result
  return {
    ...result,
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(error === undefined ? {} : { error }),
  }
}

/** A result with all that was used: by wraps that called models after they had the result, and by turns on other branches. */
export function withUsage(turn: TurnState, result: TurnResult): TurnResult {
  const used = usedBy(turn)
  const { elsewhere = turn.spent.elsewhere } = result
  if (elsewhere) return { ...result, usage: plus(used, elsewhere), elsewhere }
  return used === result.usage ? result : { ...result, usage: used }
}

/** The turn's own messages on its branch, the user's first. */
export function ownMessages(turn: TurnState): Message[] {
  const own: Message[] = []
  const depth = turn.branch.tip?.depth ?? 0
  for (let i = depth - 1; i >= 0; i--) {
    const node = nodeAt(turn.branch.tip, i)
    if (node?.turnId !== turn.id) break
    own.push(node.message)
  }
  return own.reverse()
}

const statuses: readonly string[] = ['completed', 'stopped', 'failed', 'interrupted']

/** A result that a hook gave: another text, or another part of it. */
export function readTurnResult(value: unknown, { turn, result }: StageFrame): TurnResult {
  const now = (result as TurnResult | undefined) ?? turnResult(turn)
  const { status = now.status } = (value ?? {}) as Partial<TurnResult>
  demand(statuses.includes(status), 'result.invalid', `A turn ends as ${statuses.join(', ')}, not as "${status}".`)
  const isReply = typeof value === 'string' || (typeof value === 'object' && value !== null && 'content' in value)
  return isReply
    ? { ...now, text: textOf(asMessage(value, 'assistant', turn.id)) }
    : { ...now, ...(value as Partial<TurnResult>) }
}

/** The result that after hooks see of a turn whose loop was not entered, or broke: it has not ended yet. */
export function foreseeResult({ turn, status, error }: StageFrame): TurnResult {
  const now = turnResult(turn)
  if (status === 'failed') return { ...now, status, reason: turn.hooks.clean(messageOf(error)), by: 'turn', error }
  const outcome = outcomeOf(turn, true)
  if (outcome.type !== 'directive') return now
  const { directive, decision } = outcome.noted
  const reason = directive.reason ?? directive.type
  const result = { ...now, status: directiveTable[directive.type].ends ?? 'completed', reason, by: decision.by }
  return result.status === 'failed' ? { ...result, error: directive.value } : result
}
