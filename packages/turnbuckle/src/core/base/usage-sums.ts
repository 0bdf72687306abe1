import type { Usage } from './ports.ts'

/** A cost that is not known on one side is not known of both. */
const combine = (a: Usage, b: Usage, sign: 1 | -1): Usage => ({
  inputTokens: a.inputTokens + sign * b.inputTokens,
  outputTokens: a.outputTokens + sign * b.outputTokens,
  ...(a.cost === undefined || b.cost === undefined ? {} : { cost: a.cost + sign * b.cost }),
})

export const plus = (a: Usage, b: Usage): Usage => combine(a, b, 1)
export const minus = (a: Usage, b: Usage): Usage => combine(a, b, -1)

/** The usage of a call that did not report any. */
export const uncounted: Usage = { inputTokens: 0, outputTokens: 0 }
