import { type ReactNode, useContext } from 'react'
import {
  callKey,
  type LiveCall,
  type Part,
  type ResultPart,
  type SubAgentState,
  type WireNode,
} from 'turnbuckle/client'
import { textOf } from '../conversation/facts/message-parts.ts'
import { retryReply } from '../conversation/retry-reply.ts'
import { ReadOnlyContext } from '../share/read-only.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { formatUsage } from '../ui/format-usage.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { BranchSwitcher } from './branch-switcher.tsx'
import { FileView } from './file-view.tsx'
import { Markdown } from './markdown.tsx'
import { MessageTime } from './message-time.tsx'
import { Reasoning } from './reasoning.tsx'
import { ToolCard } from './tool-card.tsx'

export interface AssistantProps {
  readonly node: WireNode
  readonly results: ReadonlyMap<string, ResultPart>
  readonly calls: ReadonlyMap<string, LiveCall>
  /** Sub-agents at work, by the id of their conversation. */
  readonly agents: ReadonlyMap<string, SubAgentState>
  readonly siblings: number
  /** The turn of this message goes on below it. */
  readonly goesOn: boolean
  /**
   * The message is being written. It takes the same room as the recorded one, so that the page does not jump at the
   * end.
   */
  readonly live: boolean
}

export function AssistantMessage({ node, results, calls, agents, siblings, goesOn, live }: AssistantProps): ReactNode {
  const { message } = node
  return (
    <article
      className={`message assistant${live ? ' live' : ''}`}
      id={`m-${node.id}`}
      tabIndex={-1}
      aria-label={live ? 'The assistant is writing' : 'The assistant said'}
      aria-busy={live}
      data-more={goesOn}
    >
      {message.by && <p className="by">{message.by}</p>}
      {message.content.map((part, i) => (
        <PartView
          key={keyOf(message.content, i)}
          part={part}
          node={node}
          results={results}
          calls={calls}
          agents={agents}
          live={live}
          last={i === message.content.length - 1}
        />
      ))}
      {message.interrupted && <p className="cut">Interrupted here</p>}
      <div className="message-actions">{!live && <Actions node={node} siblings={siblings} />}</div>
    </article>
  )
}

function Actions({ node, siblings }: Pick<AssistantProps, 'node' | 'siblings'>): ReactNode {
  const { message, usage } = node
  const text = textOf(message)
  const readOnly = useContext(ReadOnlyContext)
  return (
    <>
      <BranchSwitcher node={node} count={siblings} />
      {text && <CopyButton text={text} label="Copy" />}
      {!readOnly && (
        <IconButton icon="retry" label="Try again, as a new branch" size={15} onClick={() => retryReply(node.id)} />
      )}
      <MessageTime at={node.createdAt} />
      {usage && <span className="usage">{formatUsage(usage)}</span>}
    </>
  )
}

/**
 * A React key that a part has while it is written and after: a call by its id, other parts by their index among their
 * type.
 */
function keyOf(content: readonly Part[], index: number): string {
  const part = content[index] as Part
  if (part.type === 'call') return `call ${part.id}`
  return `${part.type} ${content.slice(0, index).filter(({ type }) => type === part.type).length}`
}

interface PartProps extends Omit<AssistantProps, 'siblings' | 'goesOn'> {
  readonly part: Part
  readonly last: boolean
}

function PartView({ part, node, results, calls, agents, live, last }: PartProps): ReactNode {
  switch (part.type) {
    case 'text':
      return part.text.trim() ? <Markdown text={part.text} live={live} /> : null
    case 'reasoning':
      return <Reasoning text={part.text} durationMs={part.durationMs} live={live && last} />
    case 'file':
      return <FileView file={part} />
    case 'call': {
      const key = callKey(node.turnId, part.id)
      const work = [...agents.values()].find(({ turnId, callId }) => callKey(turnId, callId) === key)
      return <ToolCard call={part} live={calls.get(key)} result={results.get(key)} work={work} />
    }
    case 'source':
      return <p className="file-chip">{part.title ?? part.url ?? part.name}</p>
    case 'custom':
    case 'result':
      return null
    default:
      return part satisfies never
  }
}
