import type { Usage, WireNode } from 'turnbuckle/client'

/** Tokens and cost of a path. Where a reply says no cost there is none: `knownCost` is that of the others, and `unknownCalls` how many lack one. */
export function usageOnPath(path: readonly WireNode[]): Usage {
  let [inputTokens, outputTokens, known, unknownCalls] = [0, 0, 0, 0]
  for (const { usage, message } of path) {
    inputTokens += usage?.inputTokens ?? 0
    outputTokens += usage?.outputTokens ?? 0
    if (message.role !== 'assistant') continue
    known += usage?.cost ?? usage?.knownCost ?? 0
    if (usage?.cost === undefined) unknownCalls += usage?.unknownCalls ?? 1
  }
  return { inputTokens, outputTokens, ...(unknownCalls ? { knownCost: known, unknownCalls } : { cost: known }) }
}
