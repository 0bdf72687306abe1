/** `1.2k` */
export const formatCount = (count: number): string =>
  count < 1000
    ? String(count)
    : count < 1_000_000
      ? `${(count / 1000).toFixed(1)}k`
      : `${(count / 1_000_000).toFixed(1)}M`

/** `340 ms`, `1.2 s` (`1 s` in whole seconds), `2 min 5 s` */
export function formatDuration(ms: number, seconds: 'whole' | 'exact' = 'exact'): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_500) return `${seconds === 'whole' ? Math.floor(ms / 1000) : (ms / 1000).toFixed(1)} s`
  const whole = Math.round(ms / 1000)
  return whole % 60 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : `${whole / 60} min`
}

export const formatMoney = (cost: number | undefined): string => (cost ? `$${cost.toFixed(cost < 0.1 ? 4 : 2)}` : '')

/** `≥ $0.0031` where a part of the cost is not known. */
export const formatCost = ({
  cost,
  isCostPartial,
}: {
  readonly cost: number
  readonly isCostPartial: boolean
}): string => (cost && isCostPartial ? `≥ ${formatMoney(cost)}` : formatMoney(cost))
