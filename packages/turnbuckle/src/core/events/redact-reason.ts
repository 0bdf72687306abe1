/** An answer whose `reason` has gone through the redactors, as the reasons of decisions do. Everything else in it is left to whoever asked. */
export function redactReason(answer: unknown, clean: (text: string) => string): unknown {
  if (typeof answer !== 'object' || answer === null || !('reason' in answer)) return answer
  return typeof answer.reason === 'string' ? { ...answer, reason: clean(answer.reason) } : answer
}
