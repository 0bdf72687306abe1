import type { ReactNode } from 'react'

export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new' | 'place'
  readonly text: string
}

/** Lines of a diff, each with a sign: colour alone would not tell removed lines from added ones. */
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
