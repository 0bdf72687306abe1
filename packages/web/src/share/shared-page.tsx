import '../styles/shared.css'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { type ConversationState, conversationState, sharedReader } from 'turnbuckle/client'
import { GoesOnBelow } from '../chat/goes-on-below.tsx'
import { PathMessages } from '../chat/path-messages.tsx'
import { useMessageWindow } from '../chat/use-message-window.ts'
import { pathTo } from '../conversation/facts/message-tree.ts'
import { FileReaderContext } from '../files/file-reader.ts'
import { LightboxHost } from '../files/lightbox-host.tsx'
import { useAppState } from '../state/app-state.ts'
import { Logo } from '../ui/logo.tsx'
import type { LinkInAddress } from './link-in-address.ts'
import { ReadOnlyContext } from './read-only.ts'

/** The page of a read-only link. It has the link's token and nobody's, and asks for nothing but the conversation and its files. */
export default function SharedPage({ link }: { readonly link: LinkInAddress }): ReactNode {
  const reader = useMemo(() => sharedReader({ url: location.origin, ...link }), [link])
  const [problem, setProblem] = useState<string>()
  const conversation = useAppState(app => app.conversation)
  useEffect(() => {
    reader.read().then(
      ({ title, head, nodes }) => {
        document.title = `${title || 'A conversation'} · Turnbuckle`
        const rest = { id: link.shareId, seq: 0, at: Date.now(), turns: [], requests: [], calls: [] }
        useAppState.setState({ conversation: conversationState({ ...rest, title, head, nodes }) })
      },
      error => setProblem(error instanceof Error ? error.message : String(error)),
    )
  }, [reader, link])
  return (
    <ReadOnlyContext value={true}>
      <FileReaderContext value={reader.readFile}>
        <main className="shared">
          {problem === undefined ? (
            conversation ? (
              <Shared conversation={conversation} />
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

function Shared({ conversation }: { readonly conversation: ConversationState }): ReactNode {
  const { nodes, head, title, calls } = conversation
  const path = useMemo(() => pathTo(nodes, head), [nodes, head])
  const shown = useMessageWindow(path.length)
  return (
    <>
      <header className="shared-head">
        <Logo />
        <h1>{title || 'A conversation'}</h1>
        <p>Shared to read</p>
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
