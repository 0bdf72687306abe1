import type { Context } from 'hono'
import type { Event } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'
import type { AccessCheck } from '../access/access-check.ts'
import type { LiveConnections } from '../access/live-connections.ts'
import type { ConversationService } from '../conversations/conversation-service.ts'
import type { OpenConversation } from '../conversations/open/open-conversation.ts'
import type { Visit } from '../http/app.ts'
import { boundedStream } from './bounded-stream.ts'
import type { ReaderLimit } from './outbox.ts'

export interface TurnStreaming {
  readonly access: AccessCheck
  readonly conversations: ConversationService
  readonly connections: LiveConnections
  /** Functions that end the streams, for the server's own end. */
  readonly open: Set<() => void>
  /** What may wait for one client. */
  readonly limit: ReaderLimit
}

export interface StreamedTurn {
  readonly conversation: OpenConversation
  readonly turnId: string
  /** The sequence number before the first event that is told. */
  readonly after: number
  readonly headers?: Readonly<Record<string, string>>
  /** Writes an event of the turn in the client's form; true when the stream is over. */
  readonly tell: (event: Event, write: (text: string) => void) => boolean
  /** Called once when the client has left before the stream was over, or may follow it no longer. */
  readonly onGone?: () => void
}

/** An answer that is a stream about one turn, in a form of somebody else's. */
export function streamTurn(
  c: Context<Visit>,
  { access, conversations, connections, open, limit }: TurnStreaming,
  { conversation, turnId, after, headers, tell, onGone }: StreamedTurn,
): Response {
  const { person, visitor } = c.var
  let isOver = false
  let leave: () => void = () => {}
  const { write, end, pace, answer } = boundedStream(c.env.outgoing, limit, {
    onEnd() {
      leave()
      forget()
      open.delete(finish)
      if (!isOver) onGone?.()
    },
  })
  const finish = () => {
    isOver = true
    end()
  }
  // Whose right is taken away has not left by themselves: what they would stop by leaving is stopped.
  const lose = () => {
    finish()
    onGone?.()
  }
  const mayStay = () => access.isLive(visitor) && conversations.mayFollow(person, conversation)
  const forget = connections.add({ mayStay, end: lose })
  open.add(finish)
  const follow = (event: Event | WireEvent) => {
    if (isOver) return
    if (event.type === 'conversation.deleted') finish()
    else if ('turnId' in event && event.turnId === turnId && tell(event as Event, write)) finish()
  }
  leave = conversation.follow(after, follow, pace)
  if (isOver) leave()
  return answer(headers)
}
