import type { HandedAnswer } from '../../core/events/request.ts'
import { errorOf, type PlainError, plainError } from '../channel/turn-messages.ts'
import type { Driver } from '../stores/driver.ts'
import { newHolder } from './lease-holder.ts'

const answersSpace = 'desk.answers'
const repliesSpace = 'desk.replies'
/** Milliseconds between two looks: at what was handed in, and at whether there is a reply. */
const lookEvery = 250
const replyEvery = 50
/** Milliseconds that a reply may take to come, and for which what lies here counts. */
const replyTakes = 2000
const countsFor = 60_000

type Take = (given: HandedAnswer) => Promise<void>
interface Lying {
  readonly conversation: string
  readonly given: HandedAnswer
}
type Reply = { readonly refused?: PlainError }

/**
 * The desks of a store's conversations, in its spaces of values, so that every store has them. A process that works on a turn looks for
 * answers while its turn waits for a person; who hands one in looks for the reply.
 */
export class AnswerDesks {
  readonly #values: Pick<Driver, 'get' | 'set' | 'entries'>
  /** With a number it names an answer that is handed in here: those of no other process have that name. */
  readonly #name = newHolder()
  #handed = 0
  /** The writers of this process whose turns wait, by conversation. */
  readonly #attended = new Map<string, Take>()
  /** Answers that were taken, until a look no longer finds them. */
  readonly #taken = new Set<string>()
  #looking: ReturnType<typeof setInterval> | undefined
  /** The look under way. One at a time: a slow one would find again what another has taken. */
  #look: Promise<void> | undefined

  constructor(values: Pick<Driver, 'get' | 'set' | 'entries'>) {
    this.#values = values
  }

  /** False where nobody has replied. */
  async hand(conversation: string, given: HandedAnswer): Promise<boolean> {
    const key = `${this.#name}/${++this.#handed}`
    const lying: Lying = { conversation, given }
    await this.#put(answersSpace, key, lying)
    try {
      const reply = await this.#reply(key)
      if (reply?.refused) throw errorOf(reply.refused)
      return reply !== undefined
    } finally {
      await this.#clear(key).catch(() => {})
    }
  }
  async #clear(key: string): Promise<void> {
    await this.#put(answersSpace, key, undefined)
    await this.#put(repliesSpace, key, undefined)
  }
  async #reply(key: string): Promise<Reply | undefined> {
    for (const until = performance.now() + replyTakes; performance.now() < until; ) {
      await new Promise(resolve => setTimeout(resolve, replyEvery))
      const reply = await this.#values.get(repliesSpace, key)
      if (reply) return reply as Reply
    }
    return undefined
  }

  attend(conversation: string, take: Take): () => void {
    this.#attended.set(conversation, take)
    if (this.#looking === undefined) {
      this.#looking = setInterval(() => this.#lookOnce(), lookEvery)
      ;(this.#looking as { unref?: () => void }).unref?.()
    }
    return () => {
      if (this.#attended.get(conversation) === take) this.#attended.delete(conversation)
      if (this.#attended.size) return
      clearInterval(this.#looking)
      this.#looking = undefined
    }
  }
  #lookOnce(): void {
    this.#look ??= this.#takeLying()
      .catch(() => {})
      .finally(() => {
        this.#look = undefined
      })
  }
  /** Conversations do not wait for each other: one of them may be slow to take its answer. */
  async #takeLying(): Promise<void> {
    const lying = new Map(await this.#values.entries(answersSpace))
    for (const key of this.#taken) if (!lying.has(key)) this.#taken.delete(key)
    for (const [key, value] of lying) {
      const { conversation, given } = value as Lying
      const take = this.#attended.get(conversation)
      if (!take || this.#taken.has(key)) continue
      this.#taken.add(key)
      this.#take(key, take(given)).catch(() => {})
    }
  }
  /** A store that fails here is no refusal: another process may be the writer by now. */
  async #take(key: string, taking: Promise<void>): Promise<void> {
    const refused = await taking.then(
      () => undefined,
      (error: unknown) => plainError(error),
    )
    await this.#put(answersSpace, key, undefined)
    if (!refused?.code.startsWith('store.')) await this.#put(repliesSpace, key, refused ? { refused } : {})
  }
  async #put(space: string, key: string, value: Lying | Reply | undefined): Promise<void> {
    await this.#values.set(space, key, value, Date.now() + countsFor, true)
  }
}
