import { type ReactNode, useMemo } from 'react'
import { callKey, type ResultPart, type WireNode } from 'turnbuckle/client'
import { callsOf, textOf } from '../conversation/message-parts.ts'
import { newestLeaf, pathTo, sharedLength } from '../conversation/message-tree.ts'
import { moveHead } from '../conversation/move-head.ts'
import { resultsOnPath } from '../conversation/results-on-path.ts'
import { usageOnPath } from '../conversation/usage-on-path.ts'
import { Markdown } from '../message/markdown.tsx'
import { ToolCard } from '../message/tool-card.tsx'
import { formatUsage } from '../ui/format-usage.ts'
import { IconButton } from '../ui/icon-button.tsx'

interface Props {
  readonly nodes: ReadonlyMap<string, WireNode>
  readonly left: string
  readonly right: string
  readonly close: () => void
}

/** Two branches side by side, from their first different message to their newest leaves. */
export function CompareBranches({ nodes, left, right, close }: Props): ReactNode {
  const [a, b] = [left, right].map(id => pathTo(nodes, newestLeaf(nodes, id))) as [WireNode[], WireNode[]]
  const shared = sharedLength(a, b)
  return (
    <div className="compare">
      <p className="compare-note">
        {sharedWords(shared)}
        <IconButton icon="close" label="Close the comparison" onClick={close} />
      </p>
      <div className="compare-sides">
        <Side label="First branch" path={a} from={shared} />
        <Side label="Second branch" path={b} from={shared} />
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
}

function Side({ label, path, from }: SideProps): ReactNode {
  const leaf = path.at(-1)
  const results = useMemo(() => resultsOnPath(path), [path])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard
    <section className="compare-side" aria-label={label} tabIndex={0}>
      <div className="compare-head">
        <h2>{label}</h2>
        <span className="usage">{formatUsage(usageOnPath(path))}</span>
        {leaf && (
          <button type="button" className="button small" onClick={() => void moveHead(leaf.id)}>
            Go on with this one
          </button>
        )}
      </div>
      {path.slice(from).map(node => (
        <Compared key={node.id} node={node} results={results} />
      ))}
      {path.length === from && <p className="rail-note">Nothing more: the other one goes on from here.</p>}
    </section>
  )
}

interface ComparedProps {
  readonly node: WireNode
  readonly results: ReadonlyMap<string, ResultPart>
}

/** A message of a compared branch. A result is shown in the card of its call. */
function Compared({ node: { message, turnId }, results }: ComparedProps): ReactNode {
  const text = textOf(message)
  if (message.role === 'tool') return null
  if (message.role === 'user') return <p className="compare-said said">{text}</p>
  return (
    <div className="compare-message">
      {text.trim() && <Markdown text={text} />}
      {callsOf(message).map(call => (
        <ToolCard key={call.id} call={call} live={undefined} result={results.get(callKey(turnId, call.id))} />
      ))}
    </div>
  )
}
