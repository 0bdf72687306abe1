import { type ReactNode, useEffect, useState } from 'react'
import type { SearchHit } from 'turnbuckle/client'
import { openConversation } from '../conversation/open-conversation.ts'
import { revealMessage } from '../conversation/reveal-message.ts'
import { callServer } from '../state/call-server.ts'

const pauseMs = 150

/** Finds messages in all conversations. A hit opens its conversation at that message. */
export function SearchResults({ query }: { readonly query: string }): ReactNode {
  const [hits, setHits] = useState<readonly SearchHit[]>()
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const found = await callServer(client => client.search(query))
      if (current && found) setHits(found)
    }, pauseMs)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [query])
  if (!hits) return <p className="rail-note">Searching …</p>
  if (!hits.length) return <p className="rail-note">Nothing found for “{query}”.</p>
  return (
    <ul className="conversations" aria-label="Found messages">
      {hits.map(hit => (
        <li key={`${hit.conversationId} ${hit.messageId}`}>
          <button type="button" className="conversation" onClick={() => void goTo(hit)}>
            <span className="conversation-title">{hit.title || 'Untitled'}</span>
            <span className="excerpt">
              <Highlighted text={hit.excerpt} query={query} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

async function goTo({ conversationId, messageId }: SearchHit): Promise<void> {
  await openConversation(conversationId)
  revealMessage(messageId)
}

function Highlighted({ text, query }: { readonly text: string; readonly query: string }): ReactNode {
  const at = text.toLowerCase().indexOf(query.toLowerCase())
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + query.length)}</mark>
      {text.slice(at + query.length)}
    </>
  )
}
