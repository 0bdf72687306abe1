/** The age of a conversation: minutes, hours, then its day. */
export function formatAge(at: number, now: number = Date.now()): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`
  return new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}
