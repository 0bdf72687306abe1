import { Handle, Position } from '@xyflow/react'
import { memo, type ReactNode, useEffect, useRef } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { callsOf, textOf } from '../conversation/facts/message-parts.ts'
import { plainText } from '../conversation/facts/plain-text.ts'
import { formatJson } from '../ui/format-json.ts'
import { SpentSoFar } from './spent-so-far.tsx'

export interface MessageData extends Record<string, unknown> {
  readonly node: WireNode
  readonly head: boolean
  readonly onPath: boolean
  readonly running: boolean
  readonly dim: boolean
  readonly orphan: boolean
  readonly picked: boolean
  /** Tokens or cost of the branch that ends with this message. */
  readonly spent: string | undefined
  /** The arrow keys have led to this message: it takes the focus. */
  readonly wanted: boolean
  readonly pick: (id: string) => void
}

const roles = { user: 'You', assistant: 'Assistant', tool: 'Result', system: 'System' } as const

/** A message of the tree. React Flow passes new `data` often; it is drawn again only when a drawn field differs. */
export const MessageNode = memo(
  function MessageNode({ data }: { readonly data: MessageData }): ReactNode {
    const { node, head, onPath, running, dim, orphan, picked, spent, wanted, pick } = data
    const { role, content } = node.message
    const result = content.find(part => part.type === 'result')
    const button = useRef<HTMLButtonElement>(null)
    useEffect(() => {
      if (wanted) button.current?.focus({ preventScroll: true })
    }, [wanted])
    return (
      <>
        <Handle type="target" position={Position.Top} isConnectable={false} />
        <button
          ref={button}
          type="button"
          className="tree-node nopan"
          data-node={node.id}
          data-role={role}
          data-status={result?.status}
          data-path={onPath}
          data-dim={dim}
          data-picked={picked}
          aria-current={head ? 'true' : undefined}
          onClick={() => pick(node.id)}
        >
          <span className="tree-role">
            <span className="tree-who">{roles[role]}</span>
            {head && <em>You are here</em>}
            {running && <em className="tip">running</em>}
            {orphan && <em>parent missing</em>}
            {spent && !running && <span className="tree-spent">{spent}</span>}
          </span>
          <span className="tree-text">{result ? <Result {...result} /> : describe(node)}</span>
          {running && <SpentSoFar id={node.id} spent={spent} />}
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
    a.picked === b.picked &&
    a.spent === b.spent &&
    a.wanted === b.wanted,
)

const longest = 90

function Result({ name, status, value }: { name: string; status: string; value: unknown }): ReactNode {
  return (
    <>
      <code>{`${name} → ${status}`}</code> <span className="tree-value">{oneLine(value)}</span>
    </>
  )
}

function describe({ message }: WireNode): ReactNode {
  const calls = callsOf(message)
  const words = plainText(textOf(message), message.role).slice(0, longest)
  if (!calls.length) return words || '…'
  return (
    <>
      <code>{calls.map(({ name }) => `${name}()`).join(' ')}</code> <span className="tree-value">{words}</span>
    </>
  )
}

const oneLine = (value: unknown): string =>
  formatJson(value)
    .slice(0, 4 * longest)
    .replace(/\s+/g, ' ')
    .slice(0, longest)
