const digits = (count: number): string => String(count).padStart(2, '0')

/** `2026-11-17 03:08`, in the person's time zone; `at`: milliseconds since the epoch. */
export function formatTime(at: number): string {
  const time = new Date(at)
  return `${formatDay(at)} ${digits(time.getHours())}:${digits(time.getMinutes())}`
}

/** `2026-11-17`, in the person's time zone. */
export function formatDay(at: number): string {
  const time = new Date(at)
  return `${time.getFullYear()}-${digits(time.getMonth() + 1)}-${digits(time.getDate())}`
}
