import type { ReactNode } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { highlightCode } from './highlight-code.ts'

interface Props {
  readonly className?: string | undefined
  readonly children?: ReactNode
}

export function InlineCode({ children }: Props): ReactNode {
  return <code className="inline-code">{children}</code>
}

/** A block of code in a message, with its language and a copy button. */
export function CodeBlock({ className, children }: Props): ReactNode {
  const text = String(Array.isArray(children) ? children.join('') : (children ?? '')).replace(/\n$/, '')
  const language = /language-([\w+#-]+)/.exec(className ?? '')?.[1] ?? ''
  return (
    <figure className="code">
      <figcaption>
        <span>{language || 'text'}</span>
        <CopyButton text={text} label="Copy the code" size={14} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard */}
      <pre tabIndex={0}>
        <code>
          {highlightCode(text, language).map(({ text: piece, kind }, i) =>
            kind ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, in their order
              <span key={i} className={`hl-${kind}`}>
                {piece}
              </span>
            ) : (
              piece
            ),
          )}
        </code>
      </pre>
    </figure>
  )
}
