import type { ReactNode } from 'react'

export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new' | 'place'
  readonly text: string
}

/** Lines that go, come or stay, each with its sign, so that colour is not all that tells. */
export function DiffView({ lines }: { readonly lines: readonly DiffLine[] }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long changes are scrolled with the keyboard
    <pre className="value diff" tabIndex={0}>
      {lines.map(({ kind, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one diff, in their order
        <span key={i} data-kind={kind}>
          {text}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
