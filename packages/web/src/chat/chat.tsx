import { type ReactNode, useContext, useMemo } from 'react'
import type { ConversationState, WireRequest } from 'turnbuckle/client'
import { accessTo } from '../conversation/facts/access-to.ts'
import { pathTo } from '../conversation/facts/message-tree.ts'
import { runningTurn } from '../conversation/facts/running-turn.ts'
import { openConversation } from '../conversation/open-conversation.ts'
import { AskedRequests } from '../requests/asked-requests.tsx'
import { hasVoted } from '../requests/composer-answer.ts'
import { questionText } from '../requests/question-text.ts'
import { RequestCard } from '../requests/request-card.tsx'
import { requestPeople } from '../requests/request-people.ts'
import { ReadOnlyContext } from '../share/read-only.ts'
import { useAppState } from '../state/app-state.ts'
import { Icon } from '../ui/icon.tsx'
import { Composer } from './composer.tsx'
import { CutOffReply } from './cut-off-reply.tsx'
import { GoesOnBelow } from './goes-on-below.tsx'
import { PathMessages } from './path-messages.tsx'
import { ReadsOnly } from './reads-only.tsx'
import { TurnEnd } from './turn-end.tsx'
import { UnrecordedWords } from './unrecorded-words.tsx'
import { useKeepFocus } from './use-keep-focus.ts'
import { useMessageWindow } from './use-message-window.ts'
import { useRevealMessage } from './use-reveal-message.ts'
import { useStickToEnd } from './use-stick-to-end.ts'
import { Welcome } from './welcome.tsx'

export function Chat(): ReactNode {
  const conversation = useAppState(app => app.conversation)
  const openId = useAppState(app => app.openId)
  const problem = useAppState(app => app.problem)
  const readOnly = useAppState(app => accessTo(app, app.openId) === 'read')
  return (
    <ReadOnlyContext value={readOnly}>
      <AskedRequests />
      {problem ? (
        <Problem problem={problem} />
      ) : openId === undefined ? (
        <Welcome />
      ) : conversation ? (
        <Conversation key={conversation.id} conversation={conversation} />
      ) : (
        <div className="scroll" aria-busy="true">
          <p className="loading">Loading the conversation …</p>
        </div>
      )}
      {readOnly ? <ReadsOnly /> : <Composer />}
    </ReadOnlyContext>
  )
}

function Problem({ problem }: { readonly problem: string }): ReactNode {
  const openId = useAppState(app => app.openId)
  return (
    <div className="scroll">
      <div className="empty" role="alert">
        <h2>This conversation cannot be shown</h2>
        <p>{problem}</p>
        <p>
          <button type="button" className="button" onClick={() => void openConversation(openId)}>
            Try again
          </button>{' '}
          <button type="button" className="button" onClick={() => void openConversation(undefined)}>
            Begin a new one
          </button>
        </p>
      </div>
    </div>
  )
}

function Conversation({ conversation }: { readonly conversation: ConversationState }): ReactNode {
  const { nodes, head, live, requests, queued, turns } = conversation
  const path = useMemo(() => pathTo(nodes, head), [nodes, head])
  const turnId = runningTurn(conversation)
  const isSending = useAppState(app => app.sending)
  const readOnly = useContext(ReadOnlyContext)
  const { element, isAway, jumpToEnd } = useStickToEnd(conversation, isSending)
  useKeepFocus(element)
  const shown = useMessageWindow(path.length)
  useRevealMessage(path, shown)
  const growing = [...live.values()].filter(message => message.turnId === turnId)
  const asked = requests.filter(request => request.turnId === turnId || !turnId)
  const last = path.at(-1)
  const ended = last?.turnId ? turns.get(last.turnId) : undefined
  const lost = conversation.lost.get(turnId ?? last?.turnId ?? '')
  return (
    <div className="scroll" ref={element}>
      <div className="column" role="log" aria-label="Conversation" aria-live="off">
        {path.length === 0 && !turnId && <p className="loading">Nothing here yet.{!readOnly && ' Write below.'}</p>}
        <EarlierMessages {...shown} />
        <PathMessages
          nodes={nodes}
          turns={turns}
          calls={conversation.calls}
          agents={conversation.agents}
          path={path}
          growing={growing}
          hidden={shown.hidden}
          turnId={turnId}
        />
        {turnId && <UnrecordedWords turnId={turnId} isRecorded={last?.turnId === turnId} />}
        {lost && <CutOffReply text={lost} running={turnId !== undefined} />}
        {turnId && !growing.length && !asked.length && <Thinking />}
        {asked.map(request => (
          <Asked key={request.id} request={request} />
        ))}
        <Interjections queued={queued} />
        {ended && !turnId && <TurnEnd turn={ended} />}
        {!turnId && <GoesOnBelow nodes={nodes} head={head} />}
      </div>
      <Announcer conversation={conversation} />
      {isAway && (
        <button type="button" className="button jump" onClick={jumpToEnd}>
          <Icon name="down" size={16} /> Jump to latest
        </button>
      )}
    </div>
  )
}

/** Leads to the messages of the path that are not drawn yet. */
function EarlierMessages({ hidden, showEarlier }: ReturnType<typeof useMessageWindow>): ReactNode {
  if (hidden === 0) return null
  return (
    <button type="button" className="button earlier" onClick={showEarlier}>
      Show earlier messages ({hidden})
    </button>
  )
}

/** Whoever only reads answers a question only where it names them: it stands over the conversation then. */
function Asked({ request }: { readonly request: WireRequest }): ReactNode {
  const readOnly = useContext(ReadOnlyContext)
  const isVoter = useAppState(app => hasVoted(request, app.me))
  if (!readOnly && !isVoter) return <RequestCard request={request} />
  return (
    <p className="thinking" role="status">
      <Icon name="clock" size={16} />{' '}
      {isVoter
        ? `${questionText(request)} You have said yes. ${requestPeople(request).join(' ')}`
        : 'A question waits for an answer of somebody else.'}
    </p>
  )
}

/** Interjections that the running turn has not heard yet. */
function Interjections({ queued }: { readonly queued: ConversationState['queued'] }): ReactNode {
  return queued.map(({ text }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what is queued has no id, and keeps its order
    <p key={i} className="queued">
      {text} <span>will be heard after the running tools</span>
    </p>
  ))
}

function Thinking(): ReactNode {
  return (
    <p className="thinking" role="status">
      <span className="spinner" aria-hidden="true" /> Working …
    </p>
  )
}

/** Tells screen readers how the turn stands: once per change, and no streamed text. */
function Announcer({ conversation }: { readonly conversation: ConversationState }): ReactNode {
  const turn = [...conversation.turns.values()].at(-1)
  const waiting = conversation.requests.length
  const isForMe = useAppState(app => conversation.requests.some(request => !hasVoted(request, app.me)))
  const asked = useContext(ReadOnlyContext) || !isForMe ? 'A question waits.' : 'A question waits for you.'
  const words = waiting ? asked : turn ? `The turn is ${turn.status}.` : ''
  return (
    <p className="visually-hidden" aria-live="polite">
      {words}
    </p>
  )
}
