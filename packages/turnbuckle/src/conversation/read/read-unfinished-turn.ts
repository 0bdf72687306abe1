import { none } from '../../core/base/lists.ts'
import type { Message, ToolResult } from '../../core/base/message.ts'
import type { Usage } from '../../core/base/ports.ts'
import { usageFields } from '../../core/base/usage-sums.ts'
import { eventOf } from '../../core/durable/event-records.ts'
import type { LogRecord } from '../../core/durable/log-port.ts'
import type { Event } from '../../core/events/events.ts'
import { type Request, termsOf } from '../../core/events/request.ts'
import type { Note } from '../../core/types/journal.ts'
import type { Client } from '../../core/types/tool-context.ts'
import type { Checkpoint, UnfinishedTurn } from '../../core/types/unfinished-turn.ts'
import type { TurnRow } from '../stores/driver.ts'
import { type AttemptFacts, factsOfOldIds } from './facts-of-old-ids.ts'

interface Reply {
  readonly message: Message
  readonly usage?: Usage | undefined
  readonly finishReason?: string | undefined
}

/** Equal for two tellings of the same event: by a turn, and by the same turn resumed. */
function identityOf(event: Event): string {
  const { type, messageId, callId, requestId, from, to, text } = event as unknown as Record<string, unknown>
  const said = String(type).startsWith('interjection.') ? text : undefined
  // A call's id says it all; logs of the first version do not have the message of a call's events.
  const message = callId === undefined ? messageId : undefined
  return JSON.stringify([type, message, callId, requestId, from, to, said])
}

/** Reads the records of a turn that has not ended. */
export function readUnfinishedTurn({ id, conversation }: TurnRow, records: readonly LogRecord[]): UnfinishedTurn {
  const turn = new RecordedTurn(id)
  for (const record of records) {
    const { type, body } = record
    if (type.startsWith('note.')) turn.note({ ...body, note: type.slice(5) } as unknown as Note)
    else turn.add(eventOf(record, conversation))
  }
  return turn
}

/** Events that show that a turn gets on. */
const progress: ReadonlySet<string> = new Set([
  'message.added',
  'request.answered',
  'request.expired',
  'tool.completed',
  'tool.failed',
])

class RecordedTurn implements UnfinishedTurn {
  readonly turnId: string
  message: Message = { id: '', role: 'user', content: [] }
  parentId: string | undefined
  guards: readonly string[] = []
  client: Client | undefined
  goesOn: true | undefined
  usage: Usage | undefined
  lost = 0
  waited: boolean | undefined
  moved = false
  readonly events: Event[] = []
  readonly interjections: { text: string; by?: string | undefined; messageId: string | undefined }[] = []
  readonly states = new Map<string, unknown>()
  lastStep = -1
  /** Its ids have facts that turns of later versions have as fields. */
  #isOfFirstVersion = true
  firstVersionParents: Set<string> | undefined
  readonly #requests = new Map<string, Request>()
  readonly #spent = new Map<string, Usage>()
  readonly #told = new Map<string, number>()
  #checkpoints = 0
  readonly #entered = new Map<string, Checkpoint>()
  readonly #left = new Map<string, Checkpoint>()
  readonly #replies = new Map<number, Map<number, Reply>>()
  /** Step and number of an attempt, by its message id. */
  readonly #facts = new Map<string, AttemptFacts>()
  /** Number of attempts that have begun, by step. */
  readonly #attempts = new Map<number, number>()
  readonly #shown = new Set<string>()
  readonly #partials = new Map<string, { text: string; reasoning: string }>()
  tip: string | undefined
  readonly #ended = new Map<string, ToolResult>()
  readonly #edited = new Map<string, unknown>()
  readonly #raw = new Map<string, ToolResult>()
  readonly #began = new Map<string, number>()
  readonly #answers = new Map<string, { decision: unknown; by?: string | undefined }>()
  readonly #deadlines = new Map<string, number>()
  readonly #expired = new Set<string>()

  constructor(turnId: string) {
    this.turnId = turnId
  }

  get requests(): readonly Request[] {
    return [...this.#requests.values()]
  }
  get partial(): UnfinishedTurn['partial'] {
    const messageId = [...this.#shown].at(-1)
    return messageId === undefined ? undefined : { messageId, ...this.#partialOf(messageId) }
  }
  #partialOf(messageId: string): { text: string; reasoning: string } {
    return this.#partials.get(messageId) ?? { text: '', reasoning: '' }
  }
  get abandoned(): readonly string[] {
    return [...this.#shown]
  }

  add(event: Event): void {
    this.events.push(event)
    const key = identityOf(event)
    this.#told.set(key, (this.#told.get(key) ?? 0) + 1)
    this.#read(event)
  }

  #read(event: Event): void {
    switch (event.type) {
      case 'message.started':
        this.#begin(event.messageId)
        this.#shown.add(event.messageId)
        return
      case 'message.discarded':
        this.#shown.delete(event.messageId)
        return
      case 'message.added':
        this.#shown.delete(event.messageId)
        this.tip = event.messageId
        if (event.role === 'assistant') this.#reply({ message: event.message })
        return
      case 'usage': {
        this.usage = event.total
        const at = this.#factsOf(event.messageId)
        const reply = at && this.#replies.get(at.step)?.get(at.attempt)
        if (reply) this.#reply({ ...reply, usage: usageFields(event) })
        return
      }
      case 'tool.completed':
      case 'tool.failed':
        this.#ended.set(event.callId, { status: event.status, value: event.result })
        return
      case 'interjection.queued':
        if (!event.withheld) this.interjections.push({ text: event.text, by: event.by, messageId: undefined })
        return
      case 'interjection.withdrawn': {
        const last = this.interjections.findLastIndex(
          ({ by, messageId }) => by === undefined && messageId === undefined,
        )
        if (last >= 0) this.interjections.splice(last, 1)
        return
      }
      case 'interjection.applied': {
        const queued = this.interjections.find(item => item.messageId === undefined)
        if (queued) queued.messageId = event.messageId
        return
      }
      case 'head.moved':
      case 'history.edited':
        this.tip = event.to
        return
      default:
        this.#request(event)
    }
  }

  #request(event: Event): void {
    if (event.type.startsWith('request.')) this.waited = true
    if (event.type === 'request.opened') {
      const { requestId: id, kind, payload, at, deadline } = event
      this.#requests.set(id, { id, kind, payload, turnId: this.turnId, openedAt: at, ...termsOf(event) })
      if (deadline !== undefined) this.#deadlines.set(id, deadline)
    }
    if (event.type === 'request.answered')
      this.#answers.set(event.requestId, { decision: event.decision, by: event.by })
    if (event.type === 'request.expired') this.#expired.add(event.requestId)
    if (event.type === 'request.answered' || event.type === 'request.expired') this.#requests.delete(event.requestId)
  }

  note(note: Note): void {
    switch (note.note) {
      case 'turn':
        this.#setOut(note)
        return
      case 'entered':
      case 'left':
        this.#addCheckpoint(note)
        return
      case 'attempt':
        this.#facts.set(note.messageId, { step: note.step, attempt: note.attempt })
        return
      case 'reply':
        this.#addReply(note)
        return
      case 'spent':
        this.usage = note.total
        this.#spent.set(note.turnId, note.usage)
        return
      case 'state':
        if (note.scope === 'turn') this.states.set(note.name, note.value)
        return
      case 'intent':
        this.#began.set(note.callId, this.began(note.callId) + 1)
        return
      case 'lost':
        this.lost++
        return
      case 'calling':
        this.waited = false
        return
      case 'edited':
        this.#edited.set(note.callId, note.args)
        return
      case 'said':
        this.interjections.push({ text: note.text, by: note.by, messageId: undefined })
        return
      case 'raw':
        this.#raw.set(note.callId, note.result)
        return
      case 'sketch':
        this.#addPartial(note)
        return
      default:
    }
  }

  #setOut({ message, parentId, guards, client, goesOn, format }: Extract<Note, { note: 'turn' }>): void {
    this.message = message
    this.parentId = parentId
    this.guards = guards
    this.client = client
    this.goesOn = goesOn
    this.#isOfFirstVersion = format === undefined
  }

  #addCheckpoint(note: Extract<Note, { note: 'entered' | 'left' }>): void {
    const checkpoints = note.note === 'left' ? this.#left : this.#entered
    const stage = note.stage ?? factsOfOldIds.stage(note.key)
    if (note.stage === undefined || this.firstVersionParents) this.#addParents(note.key)
    const within = note.within ?? (this.#isOfFirstVersion ? factsOfOldIds.within(note.key) : none)
    checkpoints.set(note.key, { ...note, stage, within, order: ++this.#checkpoints })
    this.usage = note.usage
  }
  #addParents(key: string): void {
    this.firstVersionParents ??= new Set()
    for (const parent of factsOfOldIds.parents(key)) this.firstVersionParents.add(parent)
  }

  #addPartial({ messageId, text: more, reasoning: isReasoning }: Extract<Note, { note: 'sketch' }>): void {
    const { text, reasoning } = this.#partialOf(messageId)
    const grown = isReasoning ? { text, reasoning: reasoning + more } : { text: text + more, reasoning }
    this.#partials.set(messageId, grown)
  }

  #addReply({ message, step, attempt, usage, finishReason, total }: Extract<Note, { note: 'reply' }>): void {
    if (step !== undefined && attempt !== undefined) this.#facts.set(message.id, { step, attempt })
    this.#reply({ message, usage, finishReason })
    this.usage = total
  }
  #factsOf(messageId: string): AttemptFacts | undefined {
    return this.#facts.get(messageId) ?? (this.#isOfFirstVersion ? factsOfOldIds.attempt(messageId) : undefined)
  }
  #begin(messageId: string): void {
    const at = this.#factsOf(messageId)
    if (at) this.lastStep = Math.max(this.lastStep, at.step)
    if (at) this.#attempts.set(at.step, Math.max(this.#attempts.get(at.step) ?? 0, at.attempt + 1))
  }
  #reply(reply: Reply): void {
    const at = this.#factsOf(reply.message.id)
    if (!at) return
    this.#begin(reply.message.id)
    const ofStep = this.#replies.get(at.step) ?? new Map<number, Reply>()
    this.#replies.set(at.step, ofStep.set(at.attempt, { ...ofStep.get(at.attempt), ...reply }))
  }

  spent(turnId: string): Usage | undefined {
    return this.#spent.get(turnId)
  }
  takeTold(event: Event): boolean {
    const key = identityOf(event)
    const left = this.#told.get(key) ?? 0
    if (!left) {
      this.moved ||= progress.has(event.type)
      return false
    }
    this.#told.set(key, left - 1)
    return true
  }
  entered(key: string): Checkpoint | undefined {
    return this.#entered.get(key)
  }
  left(key: string): Checkpoint | undefined {
    return this.#left.get(key)
  }
  get open(): readonly Checkpoint[] {
    const entered = [...this.#entered.values()].filter(({ key }) => !this.#left.has(key))
    return entered.sort((a, b) => b.order - a.order)
  }
  reply(step: number): Reply | undefined {
    const ofStep = this.#replies.get(step)
    if (!ofStep?.size) return undefined
    const [first] = [...ofStep.keys()].sort((a, b) => a - b)
    const reply = ofStep.get(first as number)
    ofStep.delete(first as number)
    return reply
  }
  passReplies(step: number, attempt: number): Reply | undefined {
    const ofStep = this.#replies.get(step)
    const passed = [...(ofStep?.keys() ?? [])].filter(number => number <= attempt).sort((a, b) => a - b)
    const last = passed.length ? ofStep?.get(passed.at(-1) as number) : undefined
    for (const number of passed) ofStep?.delete(number)
    return last
  }
  attempts(step: number): number {
    return this.#attempts.get(step) ?? 0
  }
  edited(callId: string): unknown {
    return this.#edited.get(callId)
  }
  ended(callId: string): ToolResult | undefined {
    return this.#ended.get(callId)
  }
  raw(callId: string): ToolResult | undefined {
    return this.#raw.get(callId)
  }
  began(callId: string): number {
    return this.#began.get(callId) ?? 0
  }
  answer(requestId: string): ReturnType<UnfinishedTurn['answer']> {
    return this.#answers.get(requestId)
  }
  deadline(requestId: string): number | undefined {
    return this.#deadlines.get(requestId)
  }
  expired(requestId: string): boolean {
    return this.#expired.has(requestId)
  }
}
