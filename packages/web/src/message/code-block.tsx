import { type ReactNode, useState } from 'react'
import { formulaIn } from '../markdown/mark-math.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Code } from './code.tsx'
import { DiagramView } from './diagram-view.tsx'
import { MathView } from './math-view.tsx'

interface Props {
  readonly className?: string | undefined
  readonly children?: ReactNode
}

const textIn = (children: ReactNode): string => String(Array.isArray(children) ? children.join('') : (children ?? ''))

/** Code in a line of text, or the formula that it holds. */
export function InlineCode({ children }: Props): ReactNode {
  const formula = formulaIn(textIn(children))
  return formula ? <MathView {...formula} /> : <code className="inline-code">{children}</code>
}

/** A block of code in a message, with its language and a copy button. A block of Mermaid is drawn as its diagram. */
export function CodeBlock({ className, children }: Props): ReactNode {
  const text = textIn(children).replace(/\n$/, '')
  const language = /language-([\w+#-]+)/.exec(className ?? '')?.[1] ?? ''
  const [source, showSource] = useState(false)
  const diagram = language === 'mermaid'
  return (
    <figure className="code">
      <figcaption>
        <span>{language || 'text'}</span>
        {diagram && (
          <button type="button" className="icon-button" aria-pressed={source} onClick={() => showSource(!source)}>
            Source
          </button>
        )}
        <CopyButton text={text} label="Copy the code" size={14} />
      </figcaption>
      {diagram && !source ? <DiagramView source={text} /> : <Code text={text} language={language} />}
    </figure>
  )
}
