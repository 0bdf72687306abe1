import type { AnswerOptions, Conversation, Event } from 'turnbuckle'
import { FollowedTurn } from './followed-turn.ts'
import { recordedUsage } from './recorded-usage.ts'
import type { ShownChat } from './shown-chat.ts'
import { ShownHead } from './shown-head.ts'
import type { TurnElsewhereEnd } from './turn-elsewhere.ts'
import { TurnWatch } from './turn-watch.ts'

/** The chat whose conversation other processes may go on with. */
type SharedChat = ShownChat & {
  /** Read anew here when another process has gone on with it. */
  conversation: Conversation
  /** True while a turn of this process runs. */
  readonly isWorking: boolean
  /** Shows the path to the head, on an empty screen. */
  redraw(): void
}

/** What the chat does with turns of other processes. */
export interface TurnsOfOthersHandler {
  /** True while something that was sent here waits for another process. */
  isWaiting(): boolean
  /** An event of a turn that is followed, in the log's order. */
  hear(event: Event): void
  /** An event that is over: it is shown, and asks nothing. */
  show(event: Event): void
  /** Takes away what is shown of a turn whose events are about to be heard from the beginning. Gives those that it has told. */
  forgetTold(turnId: string): readonly Event[]
  /** A turn has not ended, and no process works on it. */
  offerToGoOn(turnId: string): void
  /** Nothing is followed any more. A conversation that is not deleted is read anew and shown. */
  over(how: TurnElsewhereEnd): void | Promise<void>
}

/**
 * Turns that other processes run in the conversation of a chat: noticed while the chat is at rest, shown from where it stands, followed to their end, one after the
 * other. One on another branch is only named. Never starts, stops or resumes a turn itself.
 */
export class TurnsOfOthers {
  readonly #chat: SharedChat
  readonly #handler: TurnsOfOthersHandler
  readonly #followed: FollowedTurn
  readonly #watch: TurnWatch
  readonly #shown: ShownHead
  #isElsewhereTold = false

  constructor(chat: SharedChat, handler: TurnsOfOthersHandler) {
    this.#chat = chat
    this.#handler = handler
    this.#shown = new ShownHead(chat.conversation.head)
    this.#followed = new FollowedTurn(chat, {
      hear: event => handler.hear(event),
      over: (how, conversation) => this.#readOn(how, conversation),
    })
    this.#watch = new TurnWatch(chat.composed.store, {
      atRest: () => (this.#isAtRest ? chat.conversation.id : undefined),
      grown: () => this.showGrown(),
      free: () => void (handler.isWaiting() && handler.over('ended')),
    })
  }

  /** True while a turn is followed that another process works on. */
  get isFollowing(): boolean {
    return this.#followed.isOn
  }
  /** True while something was said, and nothing is shown that a turn of another process would come between. */
  get #isAtRest(): boolean {
    const { questions, picker, tree } = this.#chat.state
    const isBusy = this.#chat.isWorking || this.isFollowing || questions.length || picker || tree
    return (this.#shown.id !== undefined || this.#handler.isWaiting()) && !isBusy
  }

  /** The chat begins: from now on the log is looked at while it is at rest. */
  async begin(): Promise<void> {
    await this.open()
    this.#watch.begin()
    this.shown()
  }
  /** The chat has opened its conversation: what the store has of it now is known. */
  async open(): Promise<void> {
    await this.#watch.open(this.#chat.conversation)
  }
  /** The path to the conversation's head is on the screen. */
  shown(): void {
    this.#shown.id = this.#chat.conversation.head
    this.#isElsewhereTold = false
  }
  /** An event is on the screen, of whichever process. */
  hear(event: Event): void {
    this.#watch.known(event.seq)
    this.#shown.hear(event)
  }
  /** Follows nothing any more, and closes what the followed turn has asked. */
  leave(): void {
    this.#followed.leave()
  }
  /** Answers a request of the turn that is followed. */
  async answer(requestId: string, given: unknown, author: AnswerOptions): Promise<void> {
    await this.#followed.answer(requestId, given, author)
  }
  /** Events of the conversation that are not on the screen. */
  async unknown(): Promise<readonly Event[]> {
    return this.#watch.unknown(this.#chat.conversation.id)
  }

  /** Follows the turn that has not ended, where another process works on it; else has it offered to go on with. */
  async takeUp(): Promise<void> {
    const { id, unfinished } = this.#chat.conversation
    const [open] = unfinished
    if (open === undefined) return
    const row = await this.#chat.composed.store.conversation(id)
    if (row?.held) this.#follow(open)
    else this.#handler.offerToGoOn(open)
  }
  /** Shows what other processes have added behind what is shown, turn after turn. True where one is followed now. */
  async showGrown(isTold = false): Promise<boolean> {
    const { id, unfinished } = this.#chat.conversation
    const events = await this.#watch.unknown(id)
    if (this.#chat.isWorking || this.isFollowing || this.#chat.conversation.id !== id) return this.isFollowing
    const next = this.#shown.next(events)
    if (next) {
      if (!isTold)
        this.#chat.say('Another program goes on with this conversation. You see here how, and can answer what it asks.')
      this.#followed.follow(id, next.turnId, next.after)
      return true
    }
    this.#watch.known(events.at(-1)?.seq)
    const resumed = events.find(({ turnId = '' }) => unfinished.includes(turnId))?.turnId
    if (resumed !== undefined) await this.#showResumed(resumed)
    else if (events.some(({ type }) => type === 'turn.started' || type === 'head.moved')) await this.#tellElsewhere()
    return this.isFollowing
  }
  /** A turn of this process begins with this event: what another process has added just before comes first. */
  async showMissed({ parentId, seq = 0 }: Extract<Event, { type: 'turn.started' }>): Promise<void> {
    if (parentId === this.#shown.id) return
    const missed = (await this.unknown()).filter(event => (event.seq ?? 0) < seq)
    const { after = seq } = this.#shown.next(missed) ?? {}
    for (const event of missed.filter(event => (event.seq ?? 0) > after)) {
      this.#shown.hear(event)
      this.#handler.show(event)
    }
  }

  #follow(turnId: string): void {
    const { conversation } = this.#chat
    const told = this.#handler.forgetTold(turnId)
    this.#chat.repaint()
    this.#chat.say('Another program works on this turn. You see here how it goes on, and can answer what it asks.')
    const waiting = conversation.requests.map(({ id }) => id)
    for (const event of told)
      if (event.type !== 'request.opened' || waiting.includes(event.requestId)) this.#handler.hear(event)
      else this.#handler.show(event)
    const after = told.findLast(({ seq }) => seq !== undefined)?.seq ?? 0
    this.#followed.follow(conversation.id, turnId, after)
  }
  /** Another process goes on with a turn that had not ended, or has done so. One that is left as it was is shown already. */
  async #showResumed(turnId: string): Promise<void> {
    const { id } = this.#chat.conversation
    const { store, agent } = this.#chat.composed
    const row = await store.conversation(id)
    const conversation = await agent.open(id)
    const isLeft = conversation.unfinished.includes(turnId)
    if (this.#chat.isWorking || this.#chat.conversation.id !== id || (isLeft && !row?.held)) return
    this.#chat.conversation = conversation
    this.#chat.set(await recordedUsage(store, conversation))
    if (isLeft) return this.#follow(turnId)
    this.#chat.redraw()
    this.#chat.say('Another program has gone on with the turn that had not ended.')
  }
  /** Said once: the other process may go on there for long. */
  async #tellElsewhere(): Promise<void> {
    const { id, head } = await this.#chat.composed.agent.open(this.#chat.conversation.id)
    const isNext = this.#shown.next(await this.#watch.unknown(id)) !== undefined
    if (this.#isElsewhereTold || head === this.#shown.id || isNext) return
    this.#isElsewhereTold = true
    this.#chat.say(`Another program goes on with another branch of this conversation. /resume ${id} shows that.`)
  }
  /** The other process is done with the turn, or has left it in the middle. A conversation that is not given is deleted. */
  async #readOn(how: TurnElsewhereEnd, conversation: Conversation | undefined): Promise<void> {
    if (!conversation) return this.#handler.over('deleted')
    this.#chat.conversation = conversation
    await this.#chat.composed.fileVersions.read(conversation.id)
    if (how === 'ended') {
      if (!(await this.showGrown(true))) await this.#handler.over('ended')
      return
    }
    this.#chat.redraw()
    await this.takeUp()
    if (!this.isFollowing) await this.#handler.over('left')
  }
}
