import type { ReactNode } from 'react'

/** The time of day of a message, with its date where that is another day; the whole of it as a tooltip. */
export function MessageTime({ at }: { readonly at: number }): ReactNode {
  const date = new Date(at)
  const today = new Date().toDateString() === date.toDateString()
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  const day = date.toLocaleDateString([], { day: 'numeric', month: 'short' })
  return (
    <time className="usage" dateTime={date.toISOString()} title={date.toLocaleString()}>
      {today ? time : `${day}, ${time}`}
    </time>
  )
}
