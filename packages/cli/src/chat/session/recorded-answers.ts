import type { Event, Message } from 'turnbuckle'
import { applyEvent } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import { localPerson } from '../../settings/local-person.ts'
import { answersInWords } from '../transcript/answers-in-words.ts'
import { resultKey } from '../transcript/message-items.ts'
import { recordedView } from '../transcript/recorded-view.ts'

/** A message with the turn that recorded it. */
export interface MessageOfTurn {
  readonly turnId: string | undefined
  readonly message: Message
}

/** Who answered whether the calls of recorded turns may run, in words, by the key of their result. The log is read once for each turn with results. */
export class RecordedAnswers {
  readonly #store: ConversationStore
  readonly #words = new Map<string, string>()
  readonly #readTurns = new Set<string>()

  constructor(store: ConversationStore) {
    this.#store = store
  }

  get words(): ReadonlyMap<string, string> {
    return this.#words
  }

  /** Reads the turns of these messages that were not read yet. True where that has brought an answer. */
  async read(conversation: string, messages: readonly MessageOfTurn[]): Promise<boolean> {
    const { size } = this.#words
    const results = messages.filter(
      ({ message, turnId = '' }) => message.role === 'tool' && !this.#readTurns.has(turnId),
    )
    for (const turnId of new Set(results.flatMap(each => each.turnId ?? []))) {
      this.#readTurns.add(turnId)
      const calls = await this.#answeredCalls(conversation, turnId)
      for (const each of results) if (each.turnId === turnId) this.#keep(each.message, calls)
    }
    return this.#words.size > size
  }
  #keep(message: Message, calls: ReadonlyMap<string, string>): void {
    for (const part of message.content) {
      const said = part.type === 'result' ? calls.get(part.id) : undefined
      if (part.type === 'result' && said !== undefined) this.#words.set(resultKey(message, part), said)
    }
  }

  async #answeredCalls(id: string, turn: string): Promise<ReadonlyMap<string, string>> {
    const records = await this.#store.driver.records(id, { turn })
    const told = records.filter(({ type }) => type.startsWith('tool.') || type.startsWith('request.'))
    const event = ({ type, body, seq }: (typeof told)[number]) =>
      ({ ...body, type, seq, turnId: turn, conversationId: id }) as unknown as Event
    const { calls } = told.map(event).reduce(applyEvent, recordedView({ id, title: undefined, head: undefined }))
    const words = [...calls.values()].map(call => [call.callId, answersInWords(call.answers, localPerson())] as const)
    return new Map(words.flatMap(([callId, said]) => (said === undefined ? [] : [[callId, said] as const])))
  }
}
