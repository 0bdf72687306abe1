import type { AnswerOptions, Conversation, Event } from 'turnbuckle'
import { closeQuestion } from '../transcript/chat-state.ts'
import type { ShownChat } from './shown-chat.ts'
import { TurnElsewhere, type TurnElsewhereEnd } from './turn-elsewhere.ts'

/** What the chat does with the turn of another process. */
export interface Follower {
  hear(event: Event): void
  /** The conversation is read anew; one that is deleted is not there to be read. Nothing is followed any more. */
  over(how: TurnElsewhereEnd, conversation: Conversation | undefined): Promise<void>
}

/** The turn that another process works on, while a chat follows it. */
export class FollowedTurn {
  readonly #chat: ShownChat
  readonly #follower: Follower
  #followed: { readonly conversation: string; readonly turn: TurnElsewhere } | undefined

  constructor(chat: ShownChat, follower: Follower) {
    this.#chat = chat
    this.#follower = follower
  }

  /** True until the end of the turn is heard and the conversation read anew. */
  get isOn(): boolean {
    return this.#followed !== undefined
  }

  /** `after`: the number of the last event that was heard. */
  follow(conversation: string, turnId: string, after: number): void {
    const turn = new TurnElsewhere({
      ...{ store: this.#chat.composed.store, conversation, turnId, after },
      hear: event => this.#follower.hear(event),
      over: how => void this.#end(turn, how),
    })
    this.#followed = { conversation, turn }
    this.#chat.set({ followed: 'on' })
  }
  /** Closes what the turn has asked, too. */
  leave(): void {
    this.#followed?.turn.stop()
    this.#followed = undefined
    this.#chat.set(state => ({ ...closeQuestion(state), followed: 'none' }))
  }

  /** What the other process has asked since the conversation was read is read first. */
  async answer(requestId: string, given: unknown, author: AnswerOptions): Promise<void> {
    if (!this.#followed) return
    const read = await this.#chat.composed.agent.open(this.#followed.conversation)
    await read.answer(requestId, given, author)
  }

  /** Another conversation that was opened while this one is read anew stays. */
  async #end(turn: TurnElsewhere, how: TurnElsewhereEnd): Promise<void> {
    if (this.#followed?.turn !== turn) return
    const { conversation: id } = this.#followed
    try {
      const conversation = how === 'deleted' ? undefined : await this.#chat.composed.agent.open(id)
      if (this.#followed?.turn !== turn) return
      this.leave()
      if (how === 'ended') this.#chat.set({ followed: 'ended' })
      await this.#follower.over(how, conversation)
    } catch (error) {
      if (this.#followed?.turn === turn) this.leave()
      this.#chat.say(`${id} could not be read: ${(error as Error).message}\n/resume ${id} reads it again.`, 'warn')
    }
  }
}
