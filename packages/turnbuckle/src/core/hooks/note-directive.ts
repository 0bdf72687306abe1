import { type Decision, type Directive, isHard } from './directives.ts'
import type { Frame } from './stage-frame.ts'

/** Puts a directive before the resolver. */
export function note(frame: Frame, directive: Directive, by: string, at: string): void {
  const decision = list(frame, directive, by, at)
  frame.sink.push({ directive, decision })
  if (isHard(directive.type)) frame.run.halted = true
}

/** Lists a directive for `explain()`. */
export function list({ run, call }: Frame, directive: Directive, by: string, at: string): Decision {
  const decision: Decision = {
    directive: directive.type,
    by,
    at,
    step: Math.max(0, run.step),
    ...(call ? { callId: call.id } : {}),
    ...(directive.reason === undefined ? {} : { reason: directive.reason }),
    won: false,
  }
  run.decisions.push(decision)
  return decision
}
