import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import type { Message } from 'turnbuckle'
import { type ConversationState, callKey } from 'turnbuckle/client'
import { type Entry, pathOf, type Scene } from '../play/scene.ts'
import type { Phase } from '../play/session.ts'
import { CallCard } from './call-card.tsx'
import { Question } from './question.tsx'

interface Given {
  readonly scene: Scene
  readonly phase: Phase
  onAnswer(requestId: string, answer: unknown): void
}

/** Everything that was said, in the order in which it appeared: withdrawn text and abandoned branches too, marked as such. */
export function Chat({ scene, phase, onAnswer }: Given): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const { conversation, entries } = scene
  const path = useMemo(() => pathOf(conversation), [conversation])
  useLayoutEffect(() => {
    if (list.current && (entries.length || conversation.live.size)) list.current.scrollTop = list.current.scrollHeight
  }, [entries, conversation])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
    <div className="chat" ref={list} role="log" aria-label="Conversation" tabIndex={0}>
      {!entries.length && <p className="empty">{phase === 'idle' ? 'Press Run.' : 'The curtain rises …'}</p>}
      {entries.map(entry => (
        <Line key={`${entry.kind} ${entry.id}`} entry={entry} conversation={conversation} path={path} />
      ))}
      {phase !== 'ended' &&
        conversation.requests.map(request => <Question key={request.id} request={request} onAnswer={onAnswer} />)}
    </div>
  )
}

interface LineGiven {
  readonly entry: Entry
  readonly conversation: ConversationState
  readonly path: ReadonlySet<string>
}

function Line({ entry, conversation, path }: LineGiven): ReactNode {
  switch (entry.kind) {
    case 'withdrawn':
      return (
        <div className="line assistant withdrawn">
          <s>{entry.text}</s>
          <span className="tag">withdrawn: {entry.reason}</span>
        </div>
      )
    case 'answered':
      return <p className="aside">{entry.text}</p>
    case 'ended': {
      const { outcome, reason, by } = entry.event
      return (
        <p className="aside ended" data-outcome={outcome}>
          <strong>{outcome}</strong> by {by}
          {reason !== 'done' && <>: {reason}</>}
        </p>
      )
    }
    case 'message': {
      const node = conversation.nodes.get(entry.id)
      if (!node) return <Growing text={conversation.live.get(entry.id)?.text} />
      return (
        <MessageLine
          message={node.message}
          turnId={node.turnId}
          conversation={conversation}
          isLeft={!path.has(entry.id)}
        />
      )
    }
  }
}

const Growing = ({ text }: { readonly text: string | undefined }): ReactNode =>
  text === undefined ? null : <div className="line assistant growing">{text}</div>

interface MessageGiven {
  readonly message: Message
  readonly turnId: string | null
  readonly conversation: ConversationState
  readonly isLeft: boolean
}

function MessageLine({ message, turnId, conversation, isLeft }: MessageGiven): ReactNode {
  return (
    <div className={`line ${message.role}`} data-left={isLeft}>
      {message.content.map((part, i) => {
        if (part.type === 'text')
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a recorded message stay as they are
            <p key={i}>{part.text}</p>
          )
        if (part.type !== 'call') return null
        return <CallCard key={part.id} call={part} live={conversation.calls.get(callKey(turnId, part.id))} />
      })}
      {message.interrupted && <span className="tag">interrupted: what was shown is kept</span>}
      {isLeft && <span className="tag">left behind on another branch</span>}
    </div>
  )
}
