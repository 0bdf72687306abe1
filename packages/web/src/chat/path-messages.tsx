import { Fragment, memo, type ReactNode, useMemo } from 'react'
import type { ConversationState, LiveMessage, WireNode, WireTurn } from 'turnbuckle/client'
import { childrenOf } from '../conversation/facts/message-tree.ts'
import { resultsOnPath } from '../conversation/facts/results-on-path.ts'
import { AssistantMessage, type AssistantProps } from '../message/assistant-message.tsx'
import { liveNode } from '../message/live-node.ts'
import { UserMessage } from '../message/user-message.tsx'
import { TurnEnd } from './turn-end.tsx'

interface Props {
  readonly nodes: ConversationState['nodes']
  readonly turns: ConversationState['turns']
  readonly calls: ConversationState['calls']
  readonly agents: ConversationState['agents']
  readonly path: readonly WireNode[]
  /** Messages that are being written at the path's end. */
  readonly growing: readonly LiveMessage[]
  /** Number of messages at the path's beginning that are not drawn. */
  readonly hidden: number
  /** The turn that runs at the path's end. */
  readonly turnId: string | undefined
}

/**
 * The messages of the path, and between them the ends of turns that failed. A result is shown in the card of its call. A
 * delta draws only the message that it belongs to.
 */
export function PathMessages({ nodes, turns, calls, agents, path, growing, hidden, turnId }: Props): ReactNode {
  const results = useMemo(() => resultsOnPath(path), [path])
  const children = childrenOf(nodes)
  const first = path[0]
  const recorded = path.slice(hidden)
  const all = [...recorded, ...growing.map(liveNode)]
  return (
    <>
      {first && first.parentId !== null && hidden === 0 && <p className="gap">Earlier messages are missing here.</p>}
      {all.map((node, i) => {
        if (node.message.role === 'tool') return null
        const siblings = (children.get(node.parentId) ?? []).length
        const next = nextShown(all, i)
        const follows = next?.message.role === 'assistant' && next.turnId === node.turnId
        const goesOn = follows || (node.turnId === turnId && !next && hasCalls(node))
        const common = { node, siblings }
        const failed =
          next?.message.role === 'user' && next.turnId !== node.turnId ? failedTurn(turns, node) : undefined
        return (
          <Fragment key={node.id}>
            {node.message.role === 'assistant' ? (
              <Assistant
                {...common}
                results={results}
                calls={calls}
                agents={agents}
                goesOn={goesOn}
                live={i >= recorded.length}
              />
            ) : (
              <UserMessage {...common} />
            )}
            {failed && <TurnEnd turn={failed} />}
          </Fragment>
        )
      })}
    </>
  )
}

/** The turn of a message where that failed. Where the path goes on with another answer instead of a question, it was tried again. */
function failedTurn(turns: Props['turns'], { turnId }: WireNode): WireTurn | undefined {
  const turn = turns.get(turnId ?? '')
  return turn?.status === 'failed' ? turn : undefined
}

const hasCalls = ({ message }: WireNode): boolean => message.content.some(({ type }) => type === 'call')

function nextShown(path: readonly WireNode[], index: number): WireNode | undefined {
  let next = index + 1
  while (path[next]?.message.role === 'tool') next++
  return path[next]
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
    before.live === after.live &&
    (!hasCalls(after.node) ||
      (before.calls === after.calls && before.results === after.results && before.agents === after.agents)),
)
