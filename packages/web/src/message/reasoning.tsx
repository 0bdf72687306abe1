import type { ReactNode } from 'react'

/** Folded: who wants to read it can. */
export function Reasoning({ text, live = false }: { readonly text: string; readonly live?: boolean }): ReactNode {
  return (
    <details className="reasoning">
      <summary>{live ? 'Thinking …' : 'Reasoning'}</summary>
      <p>{text}</p>
    </details>
  )
}
