import type { Channel, ChannelListener } from '../conversation/channel/channel.ts'
import { MessagePacker, MessageUnpacker } from '../conversation/channel/message-packing.ts'
import { TopicListeners } from '../conversation/channel/topic-listeners.ts'

/** A channel of one of the processes that a test plays. */
export interface HubChannel extends Channel {
  /** Loses the connection: nothing is heard or sent, until `mend`. */
  cut(): void
  /** Connects again: listeners are told that messages may be missing. */
  mend(): void
}

/** A place where channels meet, inside one process: for tests of programs that share a store. */
export interface ChannelHub {
  /** A channel of one more process. */
  join(): HubChannel
}

/**
 * Makes such a place. Messages are heard a moment after they were published, as from another process.
 *
 * ```ts
 * const hub = channelHub()
 * const { driver } = memoryStore()
 * const one = createStore(driver, { channel: hub.join() })
 * const two = createStore(driver, { channel: hub.join() })
 * ```
 */
export function channelHub(): ChannelHub {
  const members = new Set<Member>()
  let count = 0
  return { join: () => new Member(members, `member${++count}`) }
}

class Member implements HubChannel {
  readonly #members: Set<Member>
  readonly #packer: MessagePacker
  readonly #unpacker = new MessageUnpacker()
  readonly #listeners = new TopicListeners()
  #state: 'open' | 'cut' | 'closed' = 'open'

  constructor(members: Set<Member>, name: string) {
    this.#members = members
    this.#packer = new MessagePacker(name)
    members.add(this)
  }

  get isOpen(): boolean {
    return this.#state === 'open' && this.#listeners.topics.length > 0
  }
  publish(topic: string, message: unknown): void {
    if (this.#state !== 'open') return
    const packets = this.#packer.pack([message])
    setImmediate(() => {
      for (const member of this.#members) for (const packet of packets) member.#take(topic, packet)
    })
  }
  #take(topic: string, packet: string): void {
    if (this.#state !== 'open') return
    for (const message of this.#unpacker.take(packet)) this.#listeners.tell(topic, message)
  }
  listen(topic: string, listener: ChannelListener): () => void {
    const remove = this.#listeners.add(topic, listener)
    if (this.#state === 'open') setImmediate(() => this.#listeners.tellMissed([topic], listener))
    return () => void remove()
  }
  cut(): void {
    if (this.#state === 'open') this.#state = 'cut'
    this.#unpacker.reset()
  }
  mend(): void {
    if (this.#state !== 'cut') return
    this.#state = 'open'
    this.#listeners.tellMissed()
  }
  close(): void {
    this.#state = 'closed'
    // What it has published is still on its way.
    setImmediate(() => this.#members.delete(this))
  }
}
