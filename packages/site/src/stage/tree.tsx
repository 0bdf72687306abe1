import { type ReactNode, useMemo } from 'react'
import type { Message } from 'turnbuckle'
import { pathOf, type Scene } from '../play/scene.ts'
import { type TreeRow, treeRows } from './tree-rows.ts'

const rowHeight = 30
const laneWidth = 18

interface Given {
  readonly scene: Scene
  /** Absent while a turn runs: its branch is its own. */
  readonly onPick: ((messageId: string) => void) | undefined
}

/** The tree of the conversation. Picking a message goes on from there. */
export function Tree({ scene: { conversation }, onPick }: Given): ReactNode {
  const rows = useMemo(() => treeRows(conversation), [conversation])
  const path = useMemo(() => pathOf(conversation), [conversation])
  const lanes = Math.max(1, ...rows.map(({ lane }) => lane + 1))
  return (
    <section className="tree" aria-label="Tree">
      <h2>The tree</h2>
      {!rows.length && <p className="empty">It grows with the first message.</p>}
      <div className="tree-rows">
        <svg className="tree-lines" width={lanes * laneWidth} height={rows.length * rowHeight} aria-hidden="true">
          {rows.map((row, i) => (
            <path key={row.node.id} d={edge(row, i)} data-path={path.has(row.node.id)} />
          ))}
          {rows.map(({ node, lane }, i) => (
            <circle
              key={node.id}
              cx={x(lane)}
              cy={y(i)}
              r={5}
              data-role={node.message.role}
              data-path={path.has(node.id)}
              data-head={node.id === conversation.head}
            />
          ))}
        </svg>
        <ol>
          {rows.map(({ node }) => (
            <li key={node.id} style={{ height: rowHeight }} data-path={path.has(node.id)}>
              <button
                type="button"
                disabled={!onPick}
                aria-current={node.id === conversation.head ? 'true' : undefined}
                title={onPick && 'Go on from here'}
                onClick={() => onPick?.(node.id)}
              >
                <span className="role">{node.message.role}</span> {gist(node.message)}
              </button>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

const x = (lane: number): number => lane * laneWidth + laneWidth / 2
const y = (row: number): number => row * rowHeight + rowHeight / 2

function edge({ lane, parent }: TreeRow, row: number): string {
  if (!parent) return ''
  const [fromX, fromY, toX, toY] = [x(parent.lane), y(parent.row), x(lane), y(row)]
  if (fromX === toX) return `M${fromX} ${fromY}V${toY}`
  return `M${fromX} ${fromY}C${fromX} ${fromY + rowHeight} ${toX} ${fromY} ${toX} ${fromY + rowHeight}V${toY}`
}

/** The first words of a message; of a message without any, its calls or results. */
function gist({ content }: Message): string {
  for (const part of content) {
    if (part.type === 'text' && part.text.trim()) return part.text
    if (part.type === 'call') return `${part.name}(…)`
    if (part.type === 'result') return `${part.name}: ${part.status}`
  }
  return '…'
}
