import type { ReactNode } from 'react'

/** The reasoning of a reply, folded until the person opens it. */
export function Reasoning({ text, live = false }: { readonly text: string; readonly live?: boolean }): ReactNode {
  return (
    <details className="reasoning">
      <summary>{live ? 'Thinking …' : 'Reasoning'}</summary>
      <p>{text}</p>
    </details>
  )
}
