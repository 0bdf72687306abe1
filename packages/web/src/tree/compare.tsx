import type { ReactNode } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { Markdown } from '../chat/markdown.tsx'
import { callsOf, newestLeaf, pathTo, textOf, usageOn } from '../state/path.ts'
import { moveHead } from '../state/store.ts'
import { usageText } from '../ui/format.ts'
import { IconButton } from '../ui/icon-button.tsx'

interface Props {
  readonly nodes: ReadonlyMap<string, WireNode>
  readonly left: string
  readonly right: string
  readonly close: () => void
}

/** Two branches side by side, from where they part to their ends. */
export function Compare({ nodes, left, right, close }: Props): ReactNode {
  const [a, b] = [left, right].map(id => pathTo(nodes, newestLeaf(nodes, id))) as [WireNode[], WireNode[]]
  let shared = 0
  while (shared < Math.min(a.length, b.length) && a[shared]?.id === b[shared]?.id) shared++
  return (
    <div className="compare">
      <p className="compare-note">
        {shared === 1 ? 'One message is' : `${shared} messages are`} the same; they part here.
        <IconButton icon="close" label="Close the comparison" onClick={close} />
      </p>
      <div className="compare-sides">
        <Side label="First branch" path={a} from={shared} />
        <Side label="Second branch" path={b} from={shared} />
      </div>
    </div>
  )
}

interface SideProps {
  readonly label: string
  readonly path: readonly WireNode[]
  readonly from: number
}

function Side({ label, path, from }: SideProps): ReactNode {
  const leaf = path.at(-1)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard
    <section className="compare-side" aria-label={label} tabIndex={0}>
      <p className="usage">{usageText(usageOn(path))}</p>
      {path.slice(from).map(({ id, message }) => (
        <div key={id} className={`compare-message ${message.role}`}>
          {message.role === 'user' ? <p className="said">{textOf(message)}</p> : <Markdown text={textOf(message)} />}
          {callsOf(message).map(call => (
            <code key={call.id} className="inline-code">
              {call.name}({JSON.stringify(call.args)})
            </code>
          ))}
          {message.content.map(part =>
            part.type === 'result' ? (
              <code key={part.id} className="inline-code">
                {part.name} → {part.status}
              </code>
            ) : null,
          )}
        </div>
      ))}
      {leaf && (
        <button type="button" className="button small" onClick={() => void moveHead(leaf.id)}>
          Go on with this one
        </button>
      )}
    </section>
  )
}
