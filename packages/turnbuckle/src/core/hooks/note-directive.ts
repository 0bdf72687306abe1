import { type Decision, type Directive, isHard } from './directives.ts'
import type { StageFrame } from './stage-frame.ts'

/** Puts a directive before the resolver. */
export function note(frame: StageFrame, directive: Directive, by: string, at: string): void {
  const decision = list(frame, directive, by, at)
  frame.sink.push({ directive, decision })
  if (isHard(directive.type)) frame.turn.halted = true
}

/** Lists a directive for `explain()`. */
export function list({ turn, call }: StageFrame, directive: Directive, by: string, at: string): Decision {
  const decision: Decision = {
    directive: directive.type,
    by,
    at,
    step: Math.max(0, turn.step),
    ...(call ? { callId: call.id } : {}),
    ...(directive.reason === undefined ? {} : { reason: directive.reason }),
    won: false,
  }
  turn.decisions.push(decision)
  return decision
}
