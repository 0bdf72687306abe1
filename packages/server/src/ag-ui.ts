import type { Hono } from 'hono'
import { type Event, TurnbuckleError } from 'turnbuckle'
import type { NewTurn, WireEvent } from 'turnbuckle/client'
import { z } from 'zod'
import { type AgUiEvent, Translation } from './ag-ui-translation.ts'
import { bodyOf, check, type Visit } from './app.ts'
import { streams } from './contract.ts'
import type { Library } from './library.ts'
import type { Room } from './room.ts'
import { newTurn } from './shapes.ts'
import { boundedStream, eventStream } from './sse.ts'

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

/**
 * AG-UI: a thread is a conversation, a run is a turn or, with `resume`, the rest of one. Of the history that a client
 * sends only the last user message counts: the server has its own, and what was approved is known here alone.
 */
export function mountAgUi(app: Hono<Visit>, library: Library, limit: number): void {
  app.post(streams.runAgUi.path, async c => {
    const input = check(run, await bodyOf(c), 'body.invalid')
    const person = c.get('person')
    const turn = input.resume?.length ? undefined : check(newTurn, said(input), 'body.invalid')
    const room = await library.create(person, { id: input.threadId })
    const after = room.seq
    const turnId = turn
      ? (await library.start(person, room.id, turn as NewTurn, undefined)).turnId
      : await resumed(library, person, room, input)
    let leave: () => void = () => {}
    const { stream, write, end } = boundedStream(limit, () => leave())
    const { threadId, runId } = input
    const emit = (event: AgUiEvent) => write(`data: ${JSON.stringify(event)}\n\n`)
    emit({ type: 'RUN_STARTED', threadId, runId })
    const translation = new Translation(emit, { threadId, runId })
    leave = room.follow(after, event => {
      const ours = ('turnId' in event && event.turnId === turnId) || event.type === 'conversation.deleted'
      if (ours && translation.add(event as Event | WireEvent)) end()
    })
    if (translation.over) leave()
    return c.body(stream, 200, { ...eventStream })
  })
}

/** What the person says now. */
function said({ messages }: Run): NewTurn {
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

/** Answers what the run before had asked. Gives the turn that goes on. */
async function resumed(library: Library, person: string, room: Room, { resume }: Run): Promise<string> {
  let turnId: string | undefined
  for (const { interruptId, status, payload } of resume ?? []) {
    const of = await library.roomOfRequest(person, interruptId)
    if (of !== room) throw new TurnbuckleError('request.foreign', 'That question belongs to another thread.')
    const asked = room.request(interruptId)
    turnId ??= asked?.turnId
    if (status === 'cancelled' && asked?.kind !== 'permission')
      await library.withTurn(person, asked?.turnId ?? '', turn => turn.interrupt('cancelled'))
    else {
      const answer = status === 'cancelled' ? { decision: 'deny', reason: 'Cancelled.' } : decision(payload)
      await library.answer(person, interruptId, answer)
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
