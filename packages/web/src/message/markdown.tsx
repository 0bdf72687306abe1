import { type ComponentProps, isValidElement, memo, type ReactElement, type ReactNode, useMemo } from 'react'
import remend from 'remend'
import { linkDefinitions, withDefinitions } from '../markdown/link-definitions.ts'
import { markMath } from '../markdown/mark-math.ts'
import { fenceIn, splitMarkdown } from '../markdown/split-markdown.ts'
import { takeFootnotes } from '../markdown/take-footnotes.ts'
import { CodeBlock, InlineCode } from './code-block.tsx'
import { Footnotes } from './footnotes.tsx'
import { Link } from './link.tsx'
import { readMarkdown } from './read-markdown.ts'
import { useGrowingCount } from './use-growing-count.ts'

interface Props {
  readonly text: string
  readonly live?: boolean
}

/** A picture of a message, only where its data is in the text itself. A URL is never fetched. */
function Picture({
  src,
  alt,
}: {
  readonly src?: string | Blob | undefined
  readonly alt?: string | undefined
}): ReactNode {
  if (typeof src === 'string' && /^data:image\/(png|jpeg|gif|webp|avif);base64,/.test(src))
    return <img className="picture" src={src} alt={alt ?? ''} />
  return <span className="file-chip">Image not loaded{alt ? `: ${alt}` : ''}</span>
}

/** The box of a task in a list. It is a sign, not a control: a message is not changed by a click. */
function TaskBox({ checked = false }: { readonly checked?: boolean }): ReactNode {
  return <span className="task-box" role="img" aria-label={checked ? 'Done:' : 'To do:'} data-done={checked} />
}

/** A block of code, which Markdown has as code in a `pre`. */
function Preformatted({ children }: { readonly children?: ReactNode }): ReactNode {
  return <CodeBlock {...(children as ReactElement<{ className?: string; children?: ReactNode }>).props} />
}

function Table({ children }: { readonly children?: ReactNode }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
    // biome-ignore lint/a11y/useSemanticElements: one of many is no landmark, and a fieldset is for forms
    <div className="table-scroll" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  )
}

/** Characters of a cell that is a sentence. */
const sentence = 40

/** A cell of a table. Where the table is scrolled anyway, one with a sentence is not squeezed to one word a line. */
function Cell({ children, ...props }: ComponentProps<'td'>): ReactNode {
  return (
    <td {...props} data-sentence={lengthOf(children) > sentence || undefined}>
      {children}
    </td>
  )
}

function lengthOf(node: ReactNode): number {
  if (typeof node === 'string') return node.length
  if (Array.isArray(node)) return node.reduce((sum: number, one: ReactNode) => sum + lengthOf(one), 0)
  return isValidElement<{ children?: ReactNode }>(node) ? lengthOf(node.props.children) : 0
}

const components = {
  a: Link,
  code: InlineCode,
  img: Picture,
  input: TaskBox,
  pre: Preformatted,
  table: Table,
  td: Cell,
}

/**
 * The text of a message as Markdown. It is untrusted: HTML is text, links are limited to safe schemes, nothing is
 * fetched. A long text is drawn section by section, over several tasks.
 */
export const Markdown = memo(function Markdown({ text, live = false }: Props): ReactNode {
  const { text: body, notes } = useMemo(() => takeFootnotes(text, live), [text, live])
  const sections = useMemo(() => splitMarkdown(body), [body])
  const definitions = useMemo(() => linkDefinitions(body), [body])
  const shown = useGrowingCount(sections.length)
  return (
    <div className="prose">
      {sections.slice(0, shown).map((section, i) => (
        <Section
          // biome-ignore lint/suspicious/noArrayIndexKey: sections of one text, in their order
          key={i}
          text={withDefinitions(section, definitions)}
          open={live && i === sections.length - 1}
        />
      ))}
      {notes.length > 0 && shown === sections.length && (
        <Footnotes notes={notes} draw={note => <Section text={note} open={false} />} />
      )}
    </div>
  )
})

interface SectionProps {
  readonly text: string
  /** The section is being written: marks that are not closed yet are closed for now. */
  readonly open: boolean
}

/** A block of code needs no parser, which would take long for a large one. */
const Section = memo(function Section({ text, open }: SectionProps): ReactNode {
  const fence = useMemo(() => fenceIn(text), [text])
  if (!fence) return <Prose text={text} open={open} />
  return (
    <div className="section">
      <CodeBlock className={`language-${fence.language}`}>{fence.code}</CodeBlock>
    </div>
  )
})

function Prose({ text, open }: SectionProps): ReactNode {
  const elements = useMemo(() => {
    const marked = markMath(text)
    return readMarkdown(open ? remend(marked, { katex: false }) : marked, components)
  }, [text, open])
  return <div className="section">{elements}</div>
}
