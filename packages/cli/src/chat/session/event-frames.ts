import type { Event } from 'turnbuckle'
import { showEvent } from '../transcript/show-event.ts'
import type { ShownChat } from './shown-chat.ts'

const frameMs = 40

/** Shows the events of a turn. Deltas come many times a second: they are collected and shown once per frame. */
export class EventFrames {
  readonly #chat: ShownChat
  /** Resolves when the log has all that was told so far. */
  readonly #kept: () => Promise<void>
  /** Deltas that have come and are not shown yet. */
  #fresh: Event[] = []
  #frame: NodeJS.Timeout | undefined

  constructor(chat: ShownChat, kept: () => Promise<void>) {
    this.#chat = chat
    this.#kept = kept
  }

  hear(event: Event): void {
    if (event.type === 'message.delta' || event.type === 'tool.delta' || event.type === 'agent.event') {
      this.#fresh.push(event)
      this.#frame ??= setTimeout(() => void this.#showText(), frameMs)
      return
    }
    const fresh = this.#fresh
    this.#fresh = []
    this.#chat.set(state => [...fresh, event].reduce(showEvent, state))
  }

  /** Order: text is shown when the log has it, so that it is there after a crash. A store that fails ends the turn. */
  async #showText(): Promise<void> {
    const fresh = this.#fresh
    const { length } = fresh
    await this.#kept().catch(() => {})
    this.#frame = undefined
    // Else another event has shown these deltas meanwhile.
    if (fresh === this.#fresh) {
      const shown = fresh.splice(0, length)
      this.#chat.set(state => shown.reduce(showEvent, state))
    }
    if (this.#fresh.length) this.#frame = setTimeout(() => void this.#showText(), frameMs)
  }
}
