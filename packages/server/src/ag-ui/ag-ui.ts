import type { Hono } from 'hono'
import { type Event, TurnbuckleError } from 'turnbuckle'
import type { NewTurn, WireEvent } from 'turnbuckle/client'
import { z } from 'zod'
import type { AccessCheck } from '../access/access-check.ts'
import type { LiveConnections } from '../access/live-connections.ts'
import type { ConversationService } from '../conversations/conversation-service.ts'
import type { OpenConversation } from '../conversations/open-conversation.ts'
import type { Visit } from '../http/app.ts'
import { checkInput } from '../http/check-input.ts'
import { streams } from '../http/contract.ts'
import { readBody } from '../http/read-body.ts'
import { newTurn } from '../http/wire-schemas.ts'
import { boundedStream, eventStream } from '../streams/bounded-stream.ts'
import { type AgUiEvent, AgUiTranslation } from './ag-ui-translation.ts'

const part = z.looseObject({ type: z.string() })
const run = z.looseObject({
  threadId: z.string().regex(/^[\w.:~-]{1,200}$/),
  runId: z.string().min(1).max(300),
  messages: z
    .array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(part)]).nullish() }))
    .default([]),
  resume: z
    .array(
      z.looseObject({
        interruptId: z.string(),
        status: z.enum(['resolved', 'cancelled']),
        payload: z.unknown().optional(),
      }),
    )
    .nullish(),
})
type Run = z.output<typeof run>

interface AgUiOptions {
  readonly access: AccessCheck
  readonly conversations: ConversationService
  readonly connections: LiveConnections
  /** Bytes that may wait for one client. */
  readonly limit: number
}

/**
 * AG-UI: a thread is a conversation, a run is a turn or, with `resume`, the rest of one. Of the history that a client
 * sends only the last user message counts: the server has the history and the approvals.
 */
export function mountAgUi(app: Hono<Visit>, { access, conversations, connections, limit }: AgUiOptions): void {
  app.post(streams.runAgUi.path, async c => {
    const input = checkInput(run, await readBody(c), 'body.invalid')
    const person = c.get('person')
    const turn = input.resume?.length ? undefined : checkInput(newTurn, newTurnOf(input), 'body.invalid')
    const conversation = await conversations.create(person, { id: input.threadId })
    const after = conversation.log.seq
    const turnId = turn
      ? (await conversations.start(person, conversation.id, turn as NewTurn, undefined)).turnId
      : await answerInterrupts(conversations, person, conversation, input)
    let leave: () => void = () => {}
    let forget: () => void = () => {}
    const { stream, write, end } = boundedStream(limit, {
      onEnd() {
        leave()
        forget()
      },
      destroy: () => c.env.outgoing.destroy(),
    })
    const { threadId, runId } = input
    const emit = (event: AgUiEvent) => write(`data: ${JSON.stringify(event)}\n\n`)
    emit({ type: 'RUN_STARTED', threadId, runId })
    const translation = new AgUiTranslation(emit, { threadId, runId })
    const visitor = c.get('visitor')
    forget = connections.add({
      mayStay: () => access.isLive(visitor) && conversations.mayFollow(person, conversation),
      end,
    })
    leave = conversation.follow(after, event => {
      const ours = ('turnId' in event && event.turnId === turnId) || event.type === 'conversation.deleted'
      if (ours && translation.add(event as Event | WireEvent)) end()
    })
    if (translation.over) {
      leave()
      forget()
    }
    return c.body(stream, 200, { ...eventStream })
  })
}

/** The turn that the run's last message starts. */
function newTurnOf({ messages }: Run): NewTurn {
  const last = messages.at(-1)
  if (last?.role !== 'user')
    throw new TurnbuckleError('body.invalid', 'The last message must be the user’s, or resume given.')
  if (typeof last.content === 'string') return { text: last.content }
  const parts = (last.content ?? []) as readonly {
    type: string
    text?: string
    source?: { type: string; value?: string; mimeType?: string }
  }[]
  const attachments = parts.flatMap(({ source }) =>
    source?.type === 'data' && source.value
      ? [{ mediaType: source.mimeType ?? 'application/octet-stream', data: source.value }]
      : [],
  )
  return { text: parts.map(({ text = '' }) => text).join(''), ...(attachments.length ? { attachments } : {}) }
}

/** Answers the requests of the run before. Gives the id of the turn that goes on. */
async function answerInterrupts(
  conversations: ConversationService,
  person: string,
  conversation: OpenConversation,
  { resume }: Run,
): Promise<string> {
  let turnId: string | undefined
  for (const { interruptId, status, payload } of resume ?? []) {
    const of = await conversations.requests.conversationOf(person, interruptId)
    if (of !== conversation) throw new TurnbuckleError('request.foreign', 'That question belongs to another thread.')
    const asked = conversation.request(interruptId)
    turnId ??= asked?.turnId
    if (status === 'cancelled' && asked?.kind !== 'permission')
      await conversations.actOnTurn(person, asked?.turnId ?? '', { type: 'interrupt', reason: 'cancelled' })
    else {
      const answer = status === 'cancelled' ? { decision: 'deny', reason: 'Cancelled.' } : decision(payload)
      await conversations.requests.answer(person, interruptId, answer)
    }
  }
  if (turnId === undefined) throw new TurnbuckleError('request.expired', 'Nothing waits for that answer any more.')
  return turnId
}

/** `true` and `{ approved: true }` are how AG-UI apps say yes. */
function decision(payload: unknown): unknown {
  const { approved = payload } = (payload ?? {}) as { approved?: unknown }
  return typeof approved === 'boolean' ? { decision: approved ? 'allow' : 'deny' } : payload
}
