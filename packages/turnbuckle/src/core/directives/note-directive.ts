import type { StageFrame } from '../types/stage-frame.ts'
import { type Decision, type Directive, directiveTable } from './directives.ts'

/** Puts a directive before the resolver. A hard one halts the step. `returned`: the hook's own, where another takes its place. */
export function noteDirective(frame: StageFrame, given: Directive, by: string, at: string, returned = given): void {
  const directive = redactDirective(frame, given)
  const decision = listDecision(frame, returned, by, at)
  const noted = { directive, decision }
  frame.noted.note(noted)
  if (directiveTable[directive.type].hard) frame.turn.halt(noted)
}

/** A directive without what redactors take out of its texts: the log keeps them. */
export function redactDirective({ turn }: StageFrame, directive: Directive): Directive {
  const { type, reason, value, say } = directive
  const clean = turn.hooks.redact
  if (!clean || reason === undefined) return directive
  const { redacted } = directiveTable[type]
  const texts = { reason: clean(reason), value: redacted(value, clean), say: say && clean(say) }
  return Object.assign(Object.create(Object.getPrototypeOf(directive)) as Directive, directive, texts)
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
