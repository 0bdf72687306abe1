import type { StageFrame } from '../types/stage-frame.ts'
import type { Decision, Directive } from './directives.ts'
import { directiveTable } from './directives.ts'

/** Puts a directive before the resolver. A hard one halts the step. */
export function noteDirective(frame: StageFrame, directive: Directive, by: string, at: string): void {
  const decision = listDecision(frame, directive, by, at)
  frame.noted.note({ directive, decision })
  if (directiveTable[directive.type].hard) frame.turn.halt()
}

/** Lists a directive for `explain()`. */
export function listDecision({ turn, call }: StageFrame, directive: Directive, by: string, at: string): Decision {
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
