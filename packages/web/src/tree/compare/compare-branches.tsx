import { type ReactNode, useMemo, useState } from 'react'
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
import { type ChangedWords, changedWords } from './changed-words.ts'
import type { Words } from './word-diff.ts'

interface Props {
  readonly nodes: ReadonlyMap<string, WireNode>
  readonly left: string
  readonly right: string
  readonly close: () => void
}

/** Two branches side by side, from their first different message to their newest leaves. */
export function CompareBranches({ nodes, left, right, close }: Props): ReactNode {
  const a = useMemo(() => pathTo(nodes, newestLeaf(nodes, left)), [nodes, left])
  const b = useMemo(() => pathTo(nodes, newestLeaf(nodes, right)), [nodes, right])
  const shared = sharedLength(a, b)
  const [byWords, setByWords] = useState(false)
  const words = useMemo(
    () => (byWords ? changedWords(a.slice(shared), b.slice(shared)) : undefined),
    [byWords, a, b, shared],
  )
  return (
    <div className="compare">
      <p className="compare-note">
        <span>{sharedWords(shared)}</span>
        <button
          type="button"
          className="icon-button"
          aria-pressed={byWords}
          onClick={() => setByWords(before => !before)}
        >
          Word by word
        </button>
        <IconButton icon="close" label="Close the comparison" onClick={close} />
      </p>
      <div className="compare-sides">
        <Side label="First branch" path={a} from={shared} words={words} />
        <Side label="Second branch" path={b} from={shared} words={words} />
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
  /** The words of each message, where the branches are compared word by word. */
  readonly words: ChangedWords | undefined
}

function Side({ label, path, from, words }: SideProps): ReactNode {
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
        <Compared key={node.id} node={node} results={results} words={words?.get(node.id)} />
      ))}
      {path.length === from && <p className="rail-note">Nothing more: the other one goes on from here.</p>}
    </section>
  )
}

interface ComparedProps {
  readonly node: WireNode
  readonly results: ReadonlyMap<string, ResultPart>
  readonly words: readonly Words[] | undefined
}

/** A message of a compared branch. A result is shown in the card of its call. */
function Compared({ node: { message, turnId }, results, words }: ComparedProps): ReactNode {
  const text = textOf(message)
  if (message.role === 'tool') return null
  if (message.role === 'user')
    return <p className="compare-said said">{words ? <MarkedWords words={words} /> : text}</p>
  return (
    <div className="compare-message">
      {words ? (
        <p className="said">
          <MarkedWords words={words} />
        </p>
      ) : (
        text.trim() && <Markdown text={text} />
      )}
      {callsOf(message).map(call => (
        <ToolCard key={call.id} call={call} live={undefined} result={results.get(callKey(turnId, call.id))} />
      ))}
    </div>
  )
}

function MarkedWords({ words }: { readonly words: readonly Words[] }): ReactNode {
  return words.map(({ text, changed }, i) =>
    changed ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: runs of one text, in their order
      <mark key={i}>{text}</mark>
    ) : (
      text
    ),
  )
}
