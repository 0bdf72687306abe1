import type { Channel } from './channel.ts'
import {
  type AskedOfAll,
  type CommandAnswer,
  errorOf,
  type LiveNews,
  type PlainError,
  sayAgainEvery,
  type ToldToOne,
  type TurnCommand,
  topicOfAll,
  unknownCommand,
} from './turn-messages.ts'

/** Milliseconds that an answer to a command may take to come. */
const answerTakes = 2000

interface Asked {
  resolve(answer: CommandAnswer): void
  reject(error: unknown): void
  readonly timer: ReturnType<typeof setTimeout>
}

/** The turns that run in other processes on the channel. */
export class RemoteTurns {
  readonly #channel: Channel
  /** The topic of this process. */
  readonly #own: string
  readonly #followed = new Map<string, Set<(news: LiveNews) => void>>()
  readonly #asked = new Map<number, Asked>()
  readonly #stop: () => void
  #timer: ReturnType<typeof setInterval> | undefined
  #count = 0
  /** Until the channel is open first, or is not going to be: a process that has just begun is asked before it hears the others. */
  readonly #opening: Promise<void>

  constructor(channel: Channel, own: string) {
    this.#channel = channel
    this.#own = own
    let opened = () => {}
    this.#opening = new Promise(resolve => {
      opened = resolve
      setTimeout(resolve, answerTakes).unref?.()
    })
    this.#stop = channel.listen(own, {
      hear: message => this.#hear(message as ToldToOne),
      missed: () => {
        opened()
        for (const conversation of this.#followed.keys()) this.#sayFollow(conversation, true)
      },
    })
  }
  #say(asked: AskedOfAll): void {
    this.#channel.publish(topicOfAll, asked)
  }
  #sayFollow(conversation: string, isNew: boolean): void {
    this.#say({ type: 'follow', conversation, isNew, to: this.#own })
  }

  follow(conversation: string, hear: (news: LiveNews) => void): () => void {
    const all = this.#followed.get(conversation) ?? new Set()
    this.#followed.set(conversation, all.add(hear))
    this.#sayFollow(conversation, true)
    this.#timer ??= this.#sayAgain()
    return () => {
      if (!all.delete(hear) || all.size) return
      this.#followed.delete(conversation)
      if (this.#followed.size) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }
  #sayAgain(): ReturnType<typeof setInterval> {
    const timer = setInterval(() => {
      for (const conversation of this.#followed.keys()) this.#sayFollow(conversation, false)
    }, sayAgainEvery)
    timer.unref?.()
    return timer
  }
  /** Asks for all that grows now, once more: something was missed. */
  again(conversation: string): void {
    if (this.#followed.has(conversation)) this.#sayFollow(conversation, true)
  }

  async ask(conversation: string, command: TurnCommand): Promise<CommandAnswer> {
    if (!this.#channel.isOpen) await this.#opening
    if (!this.#channel.isOpen) return undefined
    const id = ++this.#count
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#take(id)?.resolve(undefined), answerTakes)
      this.#asked.set(id, { resolve, reject, timer })
      this.#say({ type: 'command', conversation, command, id, to: this.#own })
    })
  }
  #take(id: number): Asked | undefined {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    clearTimeout(asked?.timer)
    return asked
  }

  #hear(told: ToldToOne): void {
    switch (told.type) {
      case 'live':
        for (const hear of [...(this.#followed.get(told.conversation) ?? [])]) hear(told)
        return
      case 'done':
        this.#take(told.id)?.resolve({ value: told.value })
        return
      case 'refused':
        this.#refuse(this.#take(told.id), told.error)
    }
  }
  #refuse(asked: Asked | undefined, error: PlainError): void {
    if (error.code === unknownCommand) asked?.resolve(undefined)
    else asked?.reject(errorOf(error))
  }

  close(): void {
    this.#stop()
    clearInterval(this.#timer)
    for (const id of [...this.#asked.keys()]) this.#take(id)?.resolve(undefined)
    this.#followed.clear()
  }
}
