import type { StageFrame } from '../types/stage-frame.ts'
import { type Decision, type Directive, directiveTable, type RewindTarget } from './directives.ts'

/** Puts a directive before the resolver. A hard one halts the step. `returned`: the hook's own, where another takes its place. */
export function noteDirective(frame: StageFrame, given: Directive, by: string, at: string, returned = given): void {
  const directive = redactDirective(frame, given)
  const decision = listDecision(frame, returned, by, at)
  frame.noted.note({ directive, decision })
  if (directiveTable[directive.type].hard) frame.turn.halt()
}

/** A directive without what redactors take out of its texts: the log keeps them. */
export function redactDirective({ turn }: StageFrame, directive: Directive): Directive {
  const { reason, say } = directive
  const clean = turn.hooks.redact
  if (!clean || reason === undefined) return directive
  const texts = { reason: clean(reason), value: redactValue(directive, clean), say: say && clean(say) }
  return Object.assign(Object.create(Object.getPrototypeOf(directive)) as Directive, directive, texts)
}

/** The words for the model in a directive's value. */
function redactValue({ type, value }: Directive, clean: (text: string) => string): unknown {
  if (type === 'again') return clean(String(value))
  if (type !== 'rewind') return value
  const { to, message } = value as RewindTarget
  return { to, message: message && clean(message) } satisfies RewindTarget
}

/** Lists a directive for `explain()`. */
export function listDecision(frame: StageFrame, given: Directive, by: string, at: string): Decision {
  const { turn, call } = frame
  const directive = redactDirective(frame, given)
  const decision: Decision = {
    directive: directive.type,
    by,
    at,
    step: Math.max(0, turn.step.index),
    ...(call ? { callId: call.id } : {}),
    ...(directive.reason === undefined ? {} : { reason: directive.reason }),
    won: false,
  }
  turn.steering.list(decision)
  return decision
}
