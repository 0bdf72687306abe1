import type { HandedAnswer } from '../../core/events/request.ts'
import { errorOf, type PlainError, plainError } from '../channel/turn-messages.ts'
import type { Driver } from '../stores/driver.ts'
import { newHolder } from './lease-holder.ts'

const answersSpace = 'desk.answers'
const repliesSpace = 'desk.replies'
/** Milliseconds between two looks: at what was handed in, and at whether there is a reply. */
const lookEvery = 250
const replyEvery = 50
/** Milliseconds in which a writer claims an answer, and has replied to it. */
const claimTakes = 2000
const replyTakes = 30_000
/** Milliseconds for which what lies here counts. */
const countsFor = 60_000

type Take = (given: HandedAnswer) => Promise<void>
type DeskStore = Pick<Driver, 'get' | 'set' | 'entries' | 'conversation'>
interface Lying {
  readonly conversation: string
  readonly given: HandedAnswer
}
/** First that a writer has claimed the answer; in its place then, how that ended. */
type Reply =
  | { readonly status: 'claimed' }
  | { readonly status: 'taken' }
  | { readonly status: 'refused'; readonly error: PlainError }
/** After that moment a value is left over from a process that is no more: who finds it removes it. */
type Kept<Value> = Value & { readonly until: number }

/**
 * The desks of a store's conversations, in its spaces of values, so that every store has them. A process that works on a turn looks for
 * answers while its turn waits for a person; who hands one in looks for the reply, and withdraws what nobody claims.
 *
 * | | first | then |
 * |---|---|---|
 * | a writer claims an answer | writes its claim | takes the answer if that still lies there |
 * | who handed it in withdraws it | removes it | waits for the reply if there is a claim |
 *
 * In this order no answer is both withdrawn and taken, whatever comes between.
 */
export class AnswerDesks {
  readonly #values: DeskStore
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

  constructor(values: DeskStore) {
    this.#values = values
  }

  /** False where nobody has replied. */
  async hand(conversation: string, given: HandedAnswer): Promise<boolean> {
    const key = `${this.#name}/${++this.#handed}`
    const lying: Lying = { conversation, given }
    await this.#put(answersSpace, key, lying)
    try {
      const reply = await this.#reply(conversation, key)
      if (reply?.status === 'refused') throw errorOf(reply.error)
      return reply?.status === 'taken'
    } finally {
      await this.#clear(key).catch(() => {})
    }
  }
  /** With what processes have left that are no more. */
  async #clear(mine: string): Promise<void> {
    for (const space of [answersSpace, repliesSpace]) {
      await this.#put(space, mine, undefined)
      for (const [key, value] of await this.#values.entries(space))
        if (isOld(value as Kept<unknown>)) await this.#put(space, key, undefined)
    }
  }
  async #reply(conversation: string, key: string): Promise<Reply | undefined> {
    const since = performance.now()
    let isWithdrawn = false
    for (let waited = 0; waited < replyTakes; waited = performance.now() - since) {
      await new Promise(resolve => setTimeout(resolve, replyEvery))
      const reply = (await this.#values.get(repliesSpace, key)) as Reply | undefined
      if (reply && reply.status !== 'claimed') return reply
      if (reply) continue
      if (isWithdrawn) return undefined
      // Where nobody writes to the conversation any more, nobody will claim it.
      if (waited < claimTakes && (await this.#values.conversation(conversation))?.held) continue
      await this.#put(answersSpace, key, undefined)
      isWithdrawn = true
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
      const { conversation, given, until } = value as Kept<Lying>
      const take = this.#attended.get(conversation)
      if (isOld({ until })) await this.#put(answersSpace, key, undefined)
      else if (take && !this.#taken.has(key)) {
        this.#taken.add(key)
        // The next look tries it again, where it still lies there.
        this.#take(key, () => take(given)).catch(() => this.#taken.delete(key))
      }
    }
  }
  async #take(key: string, take: () => Promise<void>): Promise<void> {
    if (!(await this.#claim(key))) return
    const reply = await take().then(
      (): Reply => ({ status: 'taken' }),
      (error: unknown): Reply => ({ status: 'refused', error: plainError(error) }),
    )
    const isReply = reply.status !== 'refused' || !isLeft(reply.error)
    // Without the claim nobody waits for a reply any more.
    const isAwaited = (await this.#values.get(repliesSpace, key)) !== undefined
    await this.#put(repliesSpace, key, isReply && isAwaited ? reply : undefined)
  }
  /** False where the answer has been withdrawn. */
  async #claim(key: string): Promise<boolean> {
    await this.#put(repliesSpace, key, { status: 'claimed' })
    const isThere = (await this.#values.get(answersSpace, key)) !== undefined
    await this.#put(isThere ? answersSpace : repliesSpace, key, undefined)
    return isThere
  }
  async #put(space: string, key: string, value: Lying | Reply | undefined): Promise<void> {
    const kept = value && { ...value, until: Date.now() + countsFor }
    await this.#values.set(space, key, kept, undefined, true)
  }
}

/**
 * True for what is no refusal, since another process may be the writer by now: a store that fails here, and a question that this process
 * knows no more. Its turn was left to the log after the answer was claimed.
 */
const isLeft = ({ code }: PlainError): boolean => code.startsWith('store.') || code === 'request.unknown'

const isOld = ({ until }: Kept<unknown>): boolean => until < Date.now()
