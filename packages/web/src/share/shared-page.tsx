import '../styles/shared.css'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import {
  type ConversationState,
  conversationState,
  type SharedConversation,
  sharedReader,
  type WireCall,
} from 'turnbuckle/client'
import { GoesOnBelow } from '../chat/goes-on-below.tsx'
import { PathMessages } from '../chat/path-messages.tsx'
import { useMessageWindow } from '../chat/use-message-window.ts'
import { pathTo } from '../conversation/facts/message-tree.ts'
import { FileReaderContext } from '../files/file-reader.ts'
import { LightboxHost } from '../files/lightbox-host.tsx'
import { useAppState } from '../state/app-state.ts'
import { Logo } from '../ui/logo.tsx'
import { addressOfLink, type LinkInAddress } from './link-in-address.ts'
import { ReadOnlyContext } from './read-only.ts'

/** Calls of sub-agents, as far as a link tells of them. How they ended is in their results. */
const callsOf = (agents: SharedConversation['agents'] = []): WireCall[] =>
  agents.map(({ turnId, callId, name, conversationId }) => ({
    ...{ turnId, callId, name, status: 'pending' },
    agent: { name, conversationId },
  }))

/** The page of a read-only link. It has the link's token and nobody's, and asks for nothing but the conversation and its files. */
export default function SharedPage({ link }: { readonly link: LinkInAddress }): ReactNode {
  const reader = useMemo(() => sharedReader({ url: location.origin, ...link }), [link])
  const readFile = useCallback((id: string) => reader.readFile(id, link.agent), [reader, link])
  const [problem, setProblem] = useState<string>()
  const conversation = useAppState(app => app.conversation)
  useEffect(() => {
    reader.read(link.agent).then(
      ({ title, head, nodes, agents }) => {
        document.title = `${title || 'A conversation'} · Turnbuckle`
        const rest = { id: link.shareId, seq: 0, at: Date.now(), turns: [], requests: [], calls: callsOf(agents) }
        useAppState.setState({ conversation: conversationState({ ...rest, title, head, nodes }) })
      },
      error => setProblem(error instanceof Error ? error.message : String(error)),
    )
  }, [reader, link])
  return (
    <ReadOnlyContext value={true}>
      <FileReaderContext value={readFile}>
        <main className="shared">
          {problem === undefined ? (
            conversation ? (
              <Shared conversation={conversation} link={link} />
            ) : (
              <p className="loading">Loading the conversation …</p>
            )
          ) : (
            <div className="empty" role="alert">
              <h1>Nothing is shared here</h1>
              <p>{problem}</p>
            </div>
          )}
        </main>
        <LightboxHost />
      </FileReaderContext>
    </ReadOnlyContext>
  )
}

interface SharedProps {
  readonly conversation: ConversationState
  readonly link: LinkInAddress
}

function Shared({ conversation, link: { agent, ...whole } }: SharedProps): ReactNode {
  const { nodes, head, title, calls } = conversation
  const path = useMemo(() => pathTo(nodes, head), [nodes, head])
  const shown = useMessageWindow(path.length)
  return (
    <>
      <header className="shared-head">
        <Logo />
        <h1>{title || 'A conversation'}</h1>
        {agent === undefined ? (
          <p>Shared to read</p>
        ) : (
          <p>
            Sub-agent of{' '}
            <a className="link" href={addressOfLink(whole)}>
              the shared conversation
            </a>
          </p>
        )}
      </header>
      <div className="column" role="log" aria-label="Conversation" aria-live="off">
        {shown.hidden > 0 && (
          <button type="button" className="button earlier" onClick={shown.showEarlier}>
            Show earlier messages ({shown.hidden})
          </button>
        )}
        <PathMessages
          nodes={nodes}
          turns={conversation.turns}
          calls={calls}
          agents={conversation.agents}
          path={path}
          growing={[]}
          hidden={shown.hidden}
          turnId={undefined}
        />
        <GoesOnBelow nodes={nodes} head={head} />
      </div>
    </>
  )
}
