/** The time of day, with its date where that is another day. */
export function formatMoment(at: number, now: number = Date.now()): string {
  const date = new Date(at)
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  if (new Date(now).toDateString() === date.toDateString()) return time
  return `${date.toLocaleDateString([], { day: 'numeric', month: 'short' })}, ${time}`
}
