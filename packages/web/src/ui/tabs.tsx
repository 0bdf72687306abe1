import { type KeyboardEvent, type ReactNode, useRef } from 'react'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: string
}

interface Props<Id extends string> {
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly chosen: Id
  readonly choose: (id: Id) => void
  /** Id of the panel that the tabs control. The panel's `aria-labelledby` is `tab-` and the chosen id. */
  readonly panel: string
}

/** Index of the tab that a key leads to; the last tab is followed by the first. */
const ways: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Tabs as ARIA describes them: one stop for the Tab key, arrows between them, and the focused tab is chosen. */
export function Tabs<Id extends string>({ label, tabs, chosen, choose, panel }: Props<Id>): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const to = ways[event.key]?.(
      tabs.findIndex(({ id }) => id === chosen),
      tabs.length,
    )
    const next = to === undefined ? undefined : tabs[to]
    if (to === undefined || !next) return
    event.preventDefault()
    choose(next.id)
    const button = list.current?.children[to]
    if (button instanceof HTMLElement) button.focus()
  }
  return (
    <div ref={list} className="tabs" role="tablist" aria-label={label}>
      {tabs.map(({ id, label: words }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`tab-${id}`}
          aria-controls={panel}
          aria-selected={chosen === id}
          tabIndex={chosen === id ? 0 : -1}
          onClick={() => choose(id)}
          onKeyDown={onKeyDown}
        >
          {words}
        </button>
      ))}
    </div>
  )
}
