import type { Hono } from 'hono'
import { type Event, TurnbuckleError } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'
import type { AccessCheck } from '../access/access-check.ts'
import type { LiveConnections } from '../access/live-connections.ts'
import { eventLine } from '../base/wire-json.ts'
import type { ConversationService } from '../conversations/conversation-service.ts'
import type { Visit } from '../http/app.ts'
import { streams } from '../http/contract.ts'
import { boundedStream } from './bounded-stream.ts'
import type { ReaderLimit } from './outbox.ts'

const format = (event: Event | WireEvent): string => {
  const { seq } = event as { seq?: number }
  return `${seq === undefined || event.type === 'resync' ? '' : `id: ${seq}\n`}data: ${eventLine(event)}\n\n`
}

interface SseOptions {
  readonly access: AccessCheck
  readonly conversations: ConversationService
  readonly connections: LiveConnections
  /** Functions that end the streams, for the server's own end. */
  readonly open: Set<() => void>
  /** What may wait for one client. */
  readonly limit: ReaderLimit
}

/** Server-sent events of one conversation, from `after` or `Last-Event-ID` on. */
export function mountSse(app: Hono<Visit>, { access, conversations, connections, open, limit }: SseOptions): void {
  app.get(streams.followEvents.path, async c => {
    const after = numberOf(c.req.header('last-event-id') ?? c.req.query('after') ?? '0')
    const { person } = c.get('visitor')
    const conversation = await conversations.open(person, c.req.param('id'), 'readConversation')
    const { write, end, pace, answer } = boundedStream(c.env.outgoing, limit, {
      onEnd() {
        leave()
        forget()
        open.delete(end)
      },
    })
    let leave: () => void = () => {}
    let forget: () => void = () => {}
    open.add(end)
    write('retry: 1000\n\n')
    const tell = (event: Event | WireEvent) => {
      write(format(event))
      if (event.type === 'conversation.deleted') end()
    }
    const visitor = c.get('visitor')
    forget = connections.add({
      mayStay: () => access.isLive(visitor) && conversations.mayFollow(person, conversation),
      end: () => tell({ type: 'conversation.deleted', conversationId: conversation.id, at: Date.now() }),
    })
    leave = conversation.follow(after, tell, pace)
    return answer()
  })
}

function numberOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new TurnbuckleError('query.invalid', 'after: a sequence number is expected.')
}
