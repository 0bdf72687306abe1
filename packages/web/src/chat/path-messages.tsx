import { memo, type ReactNode, useMemo } from 'react'
import type { ConversationState, LiveCall, ResultPart, WireNode } from 'turnbuckle/client'
import { childrenOf, resultsOn } from '../state/path.ts'
import { AssistantMessage } from './assistant-message.tsx'
import { UserMessage } from './user-message.tsx'

interface Props {
  readonly nodes: ConversationState['nodes']
  readonly calls: ConversationState['calls']
  readonly path: readonly WireNode[]
  /** How many at the beginning are left out. */
  readonly hidden: number
}

/** The messages of the path. Results are shown in the card of their call. Words that stream in below draw nothing here. */
export const PathMessages = memo(function PathMessages({ nodes, calls, path, hidden }: Props): ReactNode {
  const results = useMemo(() => resultsOn(path), [path])
  const children = childrenOf(nodes)
  const first = path[0]
  return (
    <>
      {first && first.parentId !== null && hidden === 0 && <p className="gap">Earlier messages are missing here.</p>}
      {path.map((node, i) => {
        if (i < hidden || node.message.role === 'tool') return null
        const siblings = (children.get(node.parentId) ?? []).length
        const next = nextShown(path, i)
        const goesOn = next?.message.role === 'assistant' && next.turnId === node.turnId
        return node.message.role === 'assistant' ? (
          <Assistant key={node.id} node={node} results={results} calls={calls} siblings={siblings} goesOn={goesOn} />
        ) : (
          <UserMessage key={node.id} node={node} siblings={siblings} />
        )
      })}
    </>
  )
})

function nextShown(path: readonly WireNode[], index: number): WireNode | undefined {
  let next = index + 1
  while (path[next]?.message.role === 'tool') next++
  return path[next]
}

interface AssistantProps {
  readonly node: WireNode
  readonly results: ReadonlyMap<string, ResultPart>
  readonly calls: ReadonlyMap<string, LiveCall>
  readonly siblings: number
  readonly goesOn: boolean
}

/** A message without calls does not change when a call elsewhere does. */
const Assistant = memo(
  function Assistant(props: AssistantProps): ReactNode {
    return <AssistantMessage {...props} />
  },
  (before, after) =>
    before.node === after.node &&
    before.siblings === after.siblings &&
    before.goesOn === after.goesOn &&
    (!after.node.message.content.some(part => part.type === 'call') ||
      (before.calls === after.calls && before.results === after.results)),
)
