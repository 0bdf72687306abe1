import { type ReactNode, useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
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
  const [copied, setCopied] = useState(false)
  const text = String(Array.isArray(children) ? children.join('') : (children ?? '')).replace(/\n$/, '')
  const language = /language-([\w+#-]+)/.exec(className ?? '')?.[1] ?? ''
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <figure className="code">
      <figcaption>
        <span>{language || 'text'}</span>
        <IconButton
          icon={copied ? 'check' : 'copy'}
          label={copied ? 'Copied' : 'Copy the code'}
          size={14}
          onClick={copy}
        />
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
