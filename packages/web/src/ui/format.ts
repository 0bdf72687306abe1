import type { Usage } from 'turnbuckle/client'

const tokens = (count: number): string => (count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`)

/** Small sums keep their digits: a cent is not nothing. */
export function money(cost: number | undefined): string | undefined {
  if (cost === undefined) return undefined
  if (cost === 0) return '$0'
  return cost < 0.01 ? `$${cost.toFixed(4)}` : `$${cost.toFixed(2)}`
}

export function usageText({ inputTokens, outputTokens, cost }: Usage): string {
  const price = money(cost)
  const count = `${tokens(inputTokens)} in · ${tokens(outputTokens)} out`
  return price === undefined ? count : `${count} · ${price}`
}

export function duration(ms: number): string {
  if (ms < 1) return '<1 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} m ${Math.round((ms % 60_000) / 1000)} s`
}

export function ago(at: number, now: number = Date.now()): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`
  return new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}

export const pretty = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '')
