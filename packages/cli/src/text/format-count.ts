/** `1.2k` */
export const formatCount = (count: number): string =>
  count < 1000
    ? String(count)
    : count < 1_000_000
      ? `${(count / 1000).toFixed(1)}k`
      : `${(count / 1_000_000).toFixed(1)}M`

/** `340 ms`, `1.2 s`, `2 min` */
export const formatDuration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`

export const formatMoney = (cost: number | undefined): string => (cost ? `$${cost.toFixed(cost < 0.1 ? 4 : 2)}` : '')
