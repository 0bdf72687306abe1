import type { Hono } from 'hono'
import { type Event, type Message, TurnbuckleError, textOf } from 'turnbuckle'
import type { NewTurn, WireEvent } from 'turnbuckle/client'
import { z } from 'zod'
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
      room.runningTurn(asked?.turnId ?? '').interrupt('cancelled')
    else
      await room.answer(
        interruptId,
        status === 'cancelled' ? { decision: 'deny', reason: 'Cancelled.' } : decision(payload),
      )
  }
  if (turnId === undefined) throw new TurnbuckleError('request.expired', 'Nothing waits for that answer any more.')
  return turnId
}

/** `true` and `{ approved: true }` are how AG-UI apps say yes. */
function decision(payload: unknown): unknown {
  const { approved = payload } = (payload ?? {}) as { approved?: unknown }
  return typeof approved === 'boolean' ? { decision: approved ? 'allow' : 'deny' } : payload
}

interface AgUiEvent {
  readonly type: string
  readonly [detail: string]: unknown
}

interface Names {
  readonly threadId: string
  readonly runId: string
}

/** Our events as AG-UI's, one run long. */
class Translation {
  readonly #emit: (event: AgUiEvent) => void
  readonly #names: Names
  /** What is being written, and which part of it. */
  #open: { readonly id: string; readonly kind: 'text' | 'reasoning' } | undefined
  readonly #written = new Set<string>()
  over = false

  constructor(emit: (event: AgUiEvent) => void, names: Names) {
    this.#emit = emit
    this.#names = names
  }

  /** True when the run is over. */
  add(event: Event | WireEvent): boolean {
    if (this.over) return true
    switch (event.type) {
      case 'message.delta':
      case 'message.text':
        this.#write(event.messageId, event.reasoning ? 'reasoning' : 'text', event.text)
        return false
      case 'message.added':
        this.#added(event.message)
        return false
      case 'message.discarded':
        this.#close()
        this.#emit({
          type: 'CUSTOM',
          name: 'message.discarded',
          value: { messageId: event.messageId, reason: event.reason },
        })
        return false
      case 'request.opened':
        return this.#finish({ outcome: { type: 'interrupt', interrupts: [interrupt(event)] } })
      case 'turn.completed':
      case 'turn.stopped':
        return this.#finish({
          outcome: { type: 'success' },
          result: { status: event.outcome, reason: event.reason, text: event.text },
        })
      case 'turn.interrupted':
      case 'conversation.deleted':
        return this.#finish({ outcome: { type: 'cancelled' } })
      case 'turn.failed':
        this.#close()
        this.#emit({ type: 'RUN_ERROR', message: event.error ?? event.reason, code: 'turn.failed' })
        this.over = true
        return true
      default:
        return false
    }
  }

  #finish(more: Record<string, unknown>): true {
    this.#close()
    this.#emit({ type: 'RUN_FINISHED', ...this.#names, ...more })
    this.over = true
    return true
  }

  #write(id: string, kind: 'text' | 'reasoning', delta: string): void {
    if (!delta) return
    const messageId = kind === 'text' ? id : `${id}.reasoning`
    if (this.#open?.id !== messageId) {
      this.#close()
      this.#open = { id: messageId, kind }
      if (kind === 'reasoning') this.#emit({ type: 'REASONING_START', messageId })
      this.#emit(
        kind === 'text'
          ? { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }
          : { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
      )
      this.#written.add(messageId)
    }
    this.#emit({ type: kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT', messageId, delta })
  }
  #close(): void {
    const open = this.#open
    this.#open = undefined
    if (!open) return
    this.#emit({ type: open.kind === 'text' ? 'TEXT_MESSAGE_END' : 'REASONING_MESSAGE_END', messageId: open.id })
    if (open.kind === 'reasoning') this.#emit({ type: 'REASONING_END', messageId: open.id })
  }

  #added(message: Message): void {
    if (message.role === 'assistant') {
      if (!this.#written.has(message.id)) this.#write(message.id, 'text', textOf(message))
      this.#close()
    }
    for (const part of message.content) {
      if (part.type === 'call') this.#call(part.id, part.name, part.args, message.id)
      if (part.type === 'result') {
        const content = typeof part.value === 'string' ? part.value : JSON.stringify(part.value)
        this.#emit({ type: 'TOOL_CALL_RESULT', messageId: message.id, toolCallId: part.id, role: 'tool', content })
      }
    }
  }
  #call(toolCallId: string, toolCallName: string, args: unknown, parentMessageId: string): void {
    this.#emit({ type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId })
    this.#emit({ type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args ?? {}) })
    this.#emit({ type: 'TOOL_CALL_END', toolCallId })
  }
}

const permissionSchema = {
  type: 'object',
  properties: {
    decision: { type: 'string', enum: ['allow', 'deny'] },
    scope: { type: 'string', enum: ['once', 'conversation', 'project', 'always'] },
    reason: { type: 'string' },
  },
  required: ['decision'],
}

function interrupt({ requestId, kind, payload, deadline }: Extract<Event, { type: 'request.opened' }>): object {
  const asked = (payload ?? {}) as { id?: unknown; name?: unknown; question?: unknown; schema?: unknown }
  const permission = kind === 'permission'
  return {
    id: requestId,
    reason: permission ? 'tool_approval' : kind,
    message: permission
      ? `May ${String(asked.name)} run?`
      : typeof asked.question === 'string'
        ? asked.question
        : `The agent asks: ${kind}`,
    ...(permission && typeof asked.id === 'string' ? { toolCallId: asked.id } : {}),
    ...(permission
      ? { responseSchema: permissionSchema }
      : typeof asked.schema === 'object' && asked.schema
        ? { responseSchema: asked.schema }
        : {}),
    ...(deadline ? { expiresAt: new Date(deadline).toISOString() } : {}),
    metadata: { kind, payload },
  }
}
