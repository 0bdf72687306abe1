import { TurnbuckleError } from '../../core/base/errors.ts'
import type { Event } from '../../core/events/events.ts'
import type { Delta } from '../../core/events/listener.ts'
import type { Conversation } from '../../core/types/conversation.ts'
import type { Turn } from '../../core/types/turn.ts'
import type { Channel } from './channel.ts'
import {
  type AskedOfAll,
  forgottenAfter,
  plainError,
  type ToldToOne,
  type TurnCommand,
  topicOfAll,
  unknownCommand,
} from './turn-messages.ts'
import { appendJoined, UnloggedNews } from './unlogged-news.ts'

/** Milliseconds for which deltas are put together before they are sent. */
const gatherMs = 10

/** Commands of the programs above, by name. One that gives `undefined` is as unknown. */
export type OwnCommands = (
  conversationId: string,
  command: TurnCommand,
) => Promise<{ readonly value: unknown } | undefined> | undefined

/** The turns that run in this process, for the others on the channel: they follow them live, and say what is to be done to them. */
export class CarriedTurns {
  readonly #channel: Channel
  /** The topic of this process. */
  readonly #own: string
  readonly #commands: OwnCommands
  readonly #carried = new Map<string, CarriedConversation>()
  readonly #stop: () => void

  constructor(channel: Channel, own: string, commands: OwnCommands) {
    this.#channel = channel
    this.#own = own
    this.#commands = commands
    this.#stop = channel.listen(topicOfAll, { hear: message => this.#hear(message as AskedOfAll) })
  }

  /** Until the turn ends, or is parked. */
  carry(conversation: Conversation, turn: Turn): void {
    const { id } = conversation
    const carried = this.#carried.get(id) ?? new CarriedConversation(id, (to, message) => this.#send(to, message))
    this.#carried.set(id, carried)
    carried.add(conversation, turn)
    void turn.settled.then(() => {
      if (carried.remove(turn) && this.#carried.get(id) === carried) this.#carried.delete(id)
    })
  }
  #send(to: string, message: ToldToOne): void {
    this.#channel.publish(to, message)
  }

  #hear(asked: AskedOfAll): void {
    if (asked.to === this.#own) return
    const carried = this.#carried.get(asked.conversation)
    if (asked.type === 'follow') carried?.addFollower(asked.to, asked.isNew)
    else if (carried?.isAtWork) void this.#do(carried, asked)
  }
  async #do(carried: CarriedConversation, { id, to, command, conversation }: Extract<AskedOfAll, { type: 'command' }>) {
    try {
      const done = (await this.#commands(conversation, command)) ?? (await carried.obey(command))
      if (done) this.#send(to, { type: 'done', id, value: done.value })
      else this.#send(to, { type: 'refused', id, error: { code: unknownCommand, message: command.type } })
    } catch (error) {
      this.#send(to, { type: 'refused', id, error: plainError(error) })
    }
  }

  close(): void {
    this.#stop()
    for (const carried of this.#carried.values()) carried.close()
    this.#carried.clear()
  }
}

/** One conversation with turns that run here. */
class CarriedConversation {
  readonly #id: string
  readonly #send: (to: string, message: ToldToOne) => void
  readonly #news = new UnloggedNews()
  readonly #turns = new Map<Turn, Conversation>()
  readonly #begun = new WeakSet<Turn>()
  /** When each follower is forgotten, by its topic. */
  readonly #followers = new Map<string, number>()
  /** Events that are put together now. */
  #gathered: Event[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Subscribed once, with the first turn's handle. */
  #unsubscribe: (() => void) | undefined
  #seq = 0

  constructor(id: string, send: (to: string, message: ToldToOne) => void) {
    this.#id = id
    this.#send = send
  }

  add(conversation: Conversation, turn: Turn): void {
    this.#turns.set(turn, conversation)
    void turn.began.then(() => this.#begun.add(turn))
    this.#unsubscribe ??= conversation.subscribe({
      event: event => this.#hear(event),
      delta: delta => this.#hear(deltaEvent(this.#id, delta)),
    })
  }
  /** True where no turn is left. */
  remove(turn: Turn): boolean {
    this.#turns.delete(turn)
    if (this.#turns.size) return false
    this.close()
    return true
  }
  /** True while this process is the log's writer: a turn may still wait for another process. */
  get isAtWork(): boolean {
    return [...this.#turns.keys()].some(turn => this.#begun.has(turn) && !turn.ended)
  }
  close(): void {
    this.#flush()
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }

  /** Tells a new follower what grows. One that is not known here is new too: its first message came before this process listened. */
  addFollower(topic: string, isNew: boolean): void {
    this.#flush()
    const isKnown = this.#followers.has(topic)
    this.#followers.set(topic, performance.now() + forgottenAfter)
    if (isNew || !isKnown) this.#send(topic, this.#live(this.#news.soFar))
  }
  #live(events: readonly Event[]): ToldToOne {
    return { type: 'live', conversation: this.#id, after: this.#seq, events }
  }
  #hear(event: Event): void {
    this.#news.hear(event)
    if (event.seq !== undefined) {
      this.#flush()
      this.#seq = event.seq
      // An end without a number is not in the log: another process has the turn, or none.
    } else if (!('outcome' in event) && this.#followers.size) {
      appendJoined(this.#gathered, event)
      this.#timer ??= setTimeout(() => this.#flush(), gatherMs)
    }
  }
  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const events = this.#gathered
    if (!events.length) return
    this.#gathered = []
    const now = performance.now()
    for (const [topic, until] of this.#followers)
      if (now < until) this.#send(topic, this.#live(events))
      else this.#followers.delete(topic)
  }

  /** Gives `undefined` for a command that it does not know. */
  async obey(command: TurnCommand): Promise<{ readonly value: unknown } | undefined> {
    const [conversation] = this.#turns.values()
    if (!conversation) return undefined
    switch (command.type) {
      case 'interrupt':
        this.#turn(command.turnId).interrupt(command.reason)
        break
      case 'interject':
        this.#turn(command.turnId).interject(command.text)
        break
      case 'answer':
        await conversation.answer(command.requestId, command.answer, command.options)
        break
      case 'rename':
        conversation.title = command.title
        await conversation.kept()
        break
      case 'moveHead':
        await moveHead(conversation, command.to)
        break
      case 'emit':
        await conversation.emit(command.event)
        break
      default:
        return undefined
    }
    return { value: null }
  }
  #turn(id: string): Turn {
    for (const turn of this.#turns.keys()) if (turn.id === id && !turn.ended) return turn
    throw new TurnbuckleError('turn.ended', 'The turn is over.')
  }
}

async function moveHead(conversation: Conversation, to: string | null): Promise<void> {
  // The turn that runs moves the head of its own handle.
  const free = conversation.fork()
  if (to !== null) await free.checkout(to)
  else await free.emit({ type: 'head.moved', from: free.head ?? null, to })
}

const deltaEvent = (conversationId: string, { reasoning, ...delta }: Delta): Event => ({
  type: 'message.delta',
  conversationId,
  at: Date.now(),
  ...delta,
  ...(reasoning ? { reasoning } : {}),
})
