import type { Event, Message } from 'turnbuckle'
import { applyEvent } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import { localPerson } from '../../settings/local-person.ts'
import { answersInWords } from '../transcript/answers-in-words.ts'
import { type RecordedFacts, resultKey } from '../transcript/message-items.ts'
import { recordedView } from '../transcript/recorded-view.ts'
import type { CutMark } from '../transcript/transcript-item.ts'

/** A message with the turn that recorded it. */
export interface MessageOfTurn {
  readonly turnId: string | undefined
  readonly message: Message
}

type Records = Awaited<ReturnType<ConversationStore['driver']['records']>>

/** The ends of turns that leave another mark on a reply than `cut off`. */
const marks: Readonly<Record<string, CutMark>> = { 'turn.interrupted': 'interrupted', 'turn.stopped': 'stopped' }

/** The log of recorded turns: who let their calls run, in words, and how a reply ended that is not whole. Read once for each turn that has either. */
export class RecordedLog {
  readonly #store: ConversationStore
  readonly #answers = new Map<string, string>()
  readonly #cuts = new Map<string, CutMark>()
  readonly #readTurns = new Set<string>()

  constructor(store: ConversationStore) {
    this.#store = store
  }

  get facts(): RecordedFacts {
    return { answers: this.#answers, cuts: this.#cuts }
  }
  get #size(): number {
    return this.#answers.size + this.#cuts.size
  }

  /** Reads the turns of these messages that were not read yet. True where that has brought a fact. */
  async read(conversation: string, messages: readonly MessageOfTurn[]): Promise<boolean> {
    const before = this.#size
    const told = messages.filter(
      ({ message, turnId = '' }) => (message.role === 'tool' || message.interrupted) && !this.#readTurns.has(turnId),
    )
    for (const turnId of new Set(told.flatMap(each => each.turnId ?? []))) {
      this.#readTurns.add(turnId)
      const records = await this.#store.driver.records(conversation, { turn: turnId })
      const calls = answeredCalls(conversation, turnId, records)
      const mark = marks[records.findLast(({ type }) => type in marks)?.type ?? '']
      for (const { message } of told.filter(each => each.turnId === turnId)) this.#keep(message, calls, mark)
    }
    return this.#size > before
  }
  #keep(message: Message, calls: ReadonlyMap<string, string>, mark: CutMark | undefined): void {
    if (message.interrupted && mark) this.#cuts.set(message.id, mark)
    for (const part of message.content) {
      const said = part.type === 'result' ? calls.get(part.id) : undefined
      if (part.type === 'result' && said !== undefined) this.#answers.set(resultKey(message, part), said)
    }
  }
}

function answeredCalls(conversationId: string, turnId: string, records: Records): ReadonlyMap<string, string> {
  const told = records.filter(({ type }) => type.startsWith('tool.') || type.startsWith('request.'))
  const event = ({ type, body, seq }: (typeof told)[number]) =>
    ({ ...body, type, seq, turnId, conversationId }) as unknown as Event
  const empty = recordedView({ id: conversationId, title: undefined, head: undefined })
  const { calls } = told.map(event).reduce(applyEvent, empty)
  const words = [...calls.values()].map(call => [call.callId, answersInWords(call.answers, localPerson())] as const)
  return new Map(words.flatMap(([callId, said]) => (said === undefined ? [] : [[callId, said] as const])))
}
