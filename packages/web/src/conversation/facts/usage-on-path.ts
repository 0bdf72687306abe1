import type { Usage, WireNode } from 'turnbuckle/client'

/** Tokens and cost of a path. The cost is left out where one reply has none: a part of it would look like the whole. */
export function usageOnPath(path: readonly WireNode[]): Usage {
  let [inputTokens, outputTokens, cost] = [0, 0, 0]
  for (const { usage, message } of path) {
    inputTokens += usage?.inputTokens ?? 0
    outputTokens += usage?.outputTokens ?? 0
    if (message.role === 'assistant') cost += usage?.cost ?? Number.NaN
  }
  return Number.isNaN(cost) ? { inputTokens, outputTokens } : { inputTokens, outputTokens, cost }
}
