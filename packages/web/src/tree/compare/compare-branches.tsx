import { type ReactNode, useMemo, useRef, useState } from 'react'
import { callKey, type ResultPart, type WireNode } from 'turnbuckle/client'
import { callsOf, textOf } from '../../conversation/facts/message-parts.ts'
import { newestLeaf, pathTo, sharedLength } from '../../conversation/facts/message-tree.ts'
import { resultsOnPath } from '../../conversation/facts/results-on-path.ts'
import { usageOnPath } from '../../conversation/facts/usage-on-path.ts'
import { lookAt } from '../../conversation/look-at.ts'
import { Markdown } from '../../message/markdown.tsx'
import { ToolCard } from '../../message/tool-card.tsx'
import { formatUsage } from '../../ui/format-usage.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { canMarkWords, type ToldWords, useMarkedWords } from './use-marked-words.ts'

interface Props {
  readonly nodes: ReadonlyMap<string, WireNode>
  readonly left: string
  readonly right: string
  readonly close: () => void
}

/** Two branches side by side. Of two messages of one branch it says so: neither has a branch that the other lacks. */
export function CompareBranches(props: Props): ReactNode {
  const { nodes, left, right, close } = props
  const isOneBranch = isAbove(nodes, left, right) || isAbove(nodes, right, left)
  if (!isOneBranch) return <Sides {...props} />
  return (
    <div className="compare">
      <p className="compare-note" role="status">
        <span>Both messages are on one branch, so there is nothing to compare. Pick a message of another branch.</span>
        <button type="button" className="button small" onClick={close}>
          Pick again
        </button>
      </p>
    </div>
  )
}

const isAbove = (nodes: Props['nodes'], upper: string, lower: string): boolean =>
  pathTo(nodes, lower).some(({ id }) => id === upper)

/** Two branches from their first different message to their newest leaves. */
function Sides({ nodes, left, right, close }: Props): ReactNode {
  const a = useMemo(() => pathTo(nodes, newestLeaf(nodes, left)), [nodes, left])
  const b = useMemo(() => pathTo(nodes, newestLeaf(nodes, right)), [nodes, right])
  const shared = sharedLength(a, b)
  const [byWords, setByWords] = useState(false)
  const [ownA, ownB] = useMemo(() => [a.slice(shared), b.slice(shared)] as const, [a, b, shared])
  const sides = useRef<HTMLDivElement>(null)
  const told = useMarkedWords(sides, ownA, ownB, byWords)
  return (
    <div className="compare">
      <p className="compare-note">
        <span>{sharedWords(shared)}</span>
        {canMarkWords() && (
          <button
            type="button"
            className="icon-button"
            aria-pressed={byWords}
            onClick={() => setByWords(before => !before)}
          >
            Word by word
          </button>
        )}
        <span className="visually-hidden" role="status">
          {byWords && 'Behind each message is told which words only its branch has.'}
        </span>
        <IconButton icon="close" label="Close the comparison" onClick={close} />
      </p>
      <div className="compare-sides" ref={sides}>
        <Side label="First branch" path={a} from={shared} told={told} />
        <Side label="Second branch" path={b} from={shared} told={told} />
      </div>
    </div>
  )
}

function sharedWords(count: number): string {
  if (count === 0) return 'They part at the start.'
  return `${count === 1 ? 'One message is' : `${count} messages are`} the same; they part here.`
}

interface SideProps {
  readonly label: string
  readonly path: readonly WireNode[]
  readonly from: number
  readonly told: ToldWords
}

function Side({ label, path, from, told }: SideProps): ReactNode {
  const leaf = path.at(-1)
  const results = useMemo(() => resultsOnPath(path), [path])
  const usage = usageOnPath(path)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard
    <section className="compare-side" aria-label={label} tabIndex={0}>
      <div className="compare-head">
        <h2>{label}</h2>
        {usage.inputTokens > 0 && <span className="usage">{formatUsage(usage)}</span>}
        {leaf && (
          <button type="button" className="button small" onClick={() => lookAt(leaf.id)}>
            Go on with this one
          </button>
        )}
      </div>
      {path.slice(from).map(node => (
        <Compared key={node.id} node={node} results={results} told={told.get(node.id)} />
      ))}
    </section>
  )
}

interface ComparedProps {
  readonly node: WireNode
  readonly results: ReadonlyMap<string, ResultPart>
  /** Which words only this branch has, for people who do not see the marks. */
  readonly told: string | undefined
}

/** A message of a compared branch. A result is shown in the card of its call. */
function Compared({ node: { id, message, turnId }, results, told }: ComparedProps): ReactNode {
  const text = textOf(message)
  if (message.role === 'tool') return null
  const words = told !== undefined && <p className="visually-hidden">{told}</p>
  if (message.role === 'user')
    return (
      <>
        <p className="compare-said said" data-words-of={id}>
          {text}
        </p>
        {words}
      </>
    )
  return (
    <div className="compare-message">
      <div data-words-of={id}>{text.trim() && <Markdown text={text} />}</div>
      {words}
      {callsOf(message).map(call => (
        <ToolCard key={call.id} call={call} live={undefined} result={results.get(callKey(turnId, call.id))} />
      ))}
    </div>
  )
}
