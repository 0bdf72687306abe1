import type { Usage } from './ports.ts'

/** The cost of a usage as far as it is known, and how many calls that lacks: a call without a cost is one. */
const knownCostOf = ({ cost, knownCost = 0 }: Usage): number => cost ?? knownCost
const unknownCallsOf = ({ cost, unknownCalls = 1 }: Usage): number => (cost === undefined ? unknownCalls : 0)

const combine = (a: Usage, b: Usage, sign: 1 | -1): Usage => {
  const known = knownCostOf(a) + sign * knownCostOf(b)
  const unknownCalls = unknownCallsOf(a) + sign * unknownCallsOf(b)
  return {
    inputTokens: a.inputTokens + sign * b.inputTokens,
    outputTokens: a.outputTokens + sign * b.outputTokens,
    ...detail('cachedInputTokens', a, b, sign),
    ...detail('reasoningTokens', a, b, sign),
    ...(unknownCalls === 0 ? { cost: known } : { knownCost: known, unknownCalls }),
    ...(a.estimated || (sign === 1 && b.estimated) ? { estimated: true } : {}),
  }
}

/** Tokens that not every provider tells apart. */
function detail(name: 'cachedInputTokens' | 'reasoningTokens', a: Usage, b: Usage, sign: 1 | -1): Partial<Usage> {
  if (a[name] === undefined && b[name] === undefined) return {}
  return { [name]: (a[name] ?? 0) + sign * (b[name] ?? 0) }
}

export const plus = (a: Usage, b: Usage): Usage => combine(a, b, 1)
/** Exact also where costs are not known: the calls without one are subtracted too. */
export const minus = (a: Usage, b: Usage): Usage => combine(a, b, -1)

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 }

/** Usage of model calls that did not say what they used. */
export const uncounted = (calls: number): Usage => ({
  inputTokens: 0,
  outputTokens: 0,
  knownCost: 0,
  unknownCalls: calls,
})

/** The usage of one call or message, without the other fields of the event or chunk that tells it. */
export function usageFields(from: Usage): Usage {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, cost, estimated } = from
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(cost === undefined ? {} : { cost }),
    ...(estimated ? { estimated } : {}),
  }
}
