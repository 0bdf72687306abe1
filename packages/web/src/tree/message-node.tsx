import { Handle, Position } from '@xyflow/react'
import { memo, type ReactNode } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { callsOf, textOf } from '../state/path.ts'

export interface MessageData extends Record<string, unknown> {
  readonly node: WireNode
  readonly head: boolean
  readonly onPath: boolean
  readonly running: boolean
  readonly dim: boolean
  readonly orphan: boolean
  readonly picked: boolean
  readonly pick: (id: string) => void
}

const roles = { user: 'You', assistant: 'Assistant', tool: 'Result', system: 'System' } as const

/** One message of the tree. */
export const MessageNode = memo(
  function MessageNode({ data }: { readonly data: MessageData }): ReactNode {
    const { node, head, onPath, running, dim, orphan, picked, pick } = data
    const { role } = node.message
    return (
      <>
        <Handle type="target" position={Position.Top} isConnectable={false} />
        <button
          type="button"
          className="tree-node nopan"
          data-role={role}
          data-path={onPath}
          data-dim={dim}
          data-picked={picked}
          aria-current={head ? 'true' : undefined}
          onClick={() => pick(node.id)}
        >
          <span className="tree-role">
            {roles[role]}
            {head && <em>head</em>}
            {running && <em className="tip">running</em>}
            {orphan && <em>parent missing</em>}
          </span>
          <span className="tree-text">{describe(node)}</span>
        </button>
        <Handle type="source" position={Position.Bottom} isConnectable={false} />
      </>
    )
  },
  ({ data: a }, { data: b }) =>
    a.node === b.node &&
    a.head === b.head &&
    a.onPath === b.onPath &&
    a.running === b.running &&
    a.dim === b.dim &&
    a.picked === b.picked,
)

function describe({ message }: WireNode): ReactNode {
  const calls = callsOf(message)
  const result = message.content.find(part => part.type === 'result')
  if (result) return <code>{`${result.name} → ${result.status}`}</code>
  const text = textOf(message).slice(0, 80)
  if (calls.length) return <code>{calls.map(({ name }) => `${name}()`).join(' ')}</code>
  return text || '…'
}
