import type { ReactNode } from 'react'
import { formatMoment } from '../ui/format-moment.ts'

/** The time of day of a message, with its date where that is another day; the whole of it as a tooltip. */
export function MessageTime({ at }: { readonly at: number }): ReactNode {
  const date = new Date(at)
  return (
    <time className="usage" dateTime={date.toISOString()} title={date.toLocaleString()}>
      {formatMoment(at)}
    </time>
  )
}
