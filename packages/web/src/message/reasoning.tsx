import { type ReactNode, useState } from 'react'
import { formatDuration } from '../ui/format-duration.ts'
import { Markdown } from './markdown.tsx'

interface Props {
  readonly text: string
  readonly durationMs?: number | undefined
  readonly live?: boolean
}

const inSeconds = (ms: number): string => (ms < 60_000 ? `${Math.round(ms / 1000)} s` : formatDuration(ms))

/** The reasoning of a reply, folded until the person opens it. Folded it is plain text, which the browser's search still finds. */
export function Reasoning({ text, durationMs, live = false }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const thought = durationMs === undefined ? 'Reasoning' : `Thought for ${inSeconds(durationMs)}`
  return (
    <details className="reasoning" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{live ? 'Thinking …' : thought}</summary>
      {isOpen ? <Markdown text={text} live={live} /> : <p>{text}</p>}
    </details>
  )
}
