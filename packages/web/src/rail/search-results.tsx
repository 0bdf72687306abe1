import { type ReactNode, useEffect, useState } from 'react'
import type { SearchHit } from 'turnbuckle/client'
import { followLinkHere } from '../conversation/follow-link-here.ts'
import { callServer } from '../state/call-server.ts'
import { addressOf } from '../state/conversation-in-address.ts'

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
  return <FoundMessages hits={hits} query={query} />
}

/** Links to what was found: another tab opens the conversation, a plain click leads to the message too. */
export function FoundMessages({
  hits,
  query,
}: {
  readonly hits: readonly SearchHit[]
  readonly query: string
}): ReactNode {
  return (
    <ul className="conversations" aria-label="Found messages">
      {hits.map(({ conversationId, messageId, title, excerpt }) => (
        <li key={`${conversationId} ${messageId}`}>
          <a
            className="conversation"
            href={addressOf(conversationId)}
            onClick={event => followLinkHere(event, conversationId, messageId)}
          >
            <span className="conversation-title">{title || 'Untitled'}</span>
            <span className="excerpt">
              <Highlighted text={excerpt} query={query} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
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
