import type { Usage } from 'turnbuckle/client'

/** Tokens and, as far as it is known, the cost: `1.2k in · 300 out · $0.02`, `… · at least $0.02`. */
export function formatUsage({ inputTokens, outputTokens, cost, knownCost }: Usage): string {
  const count = `${formatTokens(inputTokens)} in · ${formatTokens(outputTokens)} out`
  if (cost === undefined && knownCost) return `${count} · at least ${formatMoney(knownCost)}`
  return cost === undefined ? count : `${count} · ${formatMoney(cost)}`
}

const formatTokens = (count: number): string => (count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`)

/** Dollars. A sum below a cent keeps four digits, so that it does not look free. */
export function formatMoney(cost: number): string {
  if (cost === 0) return '$0'
  return cost < 0.01 ? `$${cost.toFixed(4)}` : `$${cost.toFixed(2)}`
}

/** The cost where it is known, else the tokens: `$0.02`, `1.5k tokens`. For places with little room. */
export const formatSpent = ({ inputTokens, outputTokens, cost }: Usage): string =>
  cost === undefined ? `${formatTokens(inputTokens + outputTokens)} tokens` : formatMoney(cost)
