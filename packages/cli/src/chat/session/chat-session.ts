import type { Conversation, Event, FilePart, Turn, Usage } from 'turnbuckle'
import type { ComposedAgent } from '../../compose/compose-agent.ts'
import { localPerson } from '../../settings/local-person.ts'
import { besides } from '../../text/own-words.ts'
import { attachedFiles } from '../files/attached-files.ts'
import type { Question } from '../transcript/question.ts'
import { requestQuestion } from '../transcript/request-question.ts'
import type { TranscriptItem } from '../transcript/transcript-item.ts'
import { AnswerAuthor } from './answer-author.ts'
import { ChatModes } from './chat-modes.ts'
import { type Answer, ChatQuestions } from './chat-questions.ts'
import { type ChatTerminal, noTerminal } from './chat-terminal.ts'
import { EventFrames } from './event-frames.ts'
import { FollowedTurn } from './followed-turn.ts'
import { LaterTexts } from './later-texts.ts'
import { MessageQueue } from './message-queue.ts'
import { offerToGoOn } from './offer-to-go-on.ts'
import { RecordedTranscript } from './recorded-transcript.ts'
import { branchContext, recordedUsage, withoutTold } from './recorded-usage.ts'
import { ShownChat } from './shown-chat.ts'
import type { TurnElsewhereEnd } from './turn-elsewhere.ts'

/** A chat: a conversation, and the turn that runs in it. */
export class ChatSession extends ShownChat {
  conversation: Conversation
  turn: Turn | undefined
  lastTurn: string | undefined
  /** The terminal's part of the chat: set by `startChat`. */
  terminal: ChatTerminal = noTerminal
  readonly modes: ChatModes = new ChatModes(this)
  readonly #queue = new MessageQueue(this)
  readonly #recorded = new RecordedTranscript(this)
  readonly #frames = new EventFrames(this, () => this.conversation.kept())
  readonly #questions = new ChatQuestions(this, {
    answer: (id, given) =>
      this.#followed.isOn
        ? this.#followed.answer(id, given, this.#author.options)
        : this.conversation.answer(id, given, this.#author.options),
    expire: id => this.turn?.expire(id),
  })
  /** By what was said to the running turn: what was written of it, and the texts for the model that went with it. */
  readonly #interjected = new Map<string, { readonly text: string; readonly later: readonly string[] }>()
  readonly #followed = new FollowedTurn(this, {
    hear: event => this.#hear(event),
    over: (how, conversation) => this.#readOn(how, conversation),
  })
  readonly #later = new LaterTexts()
  readonly #author = new AnswerAuthor()
  readonly #now: () => number

  /** `now`: milliseconds since the epoch. */
  constructor(composed: ComposedAgent, conversation: Conversation, now: () => number = Date.now) {
    super(composed)
    this.conversation = conversation
    this.#now = now
  }

  /** True from the start of a turn until its end is in the log and shown. */
  get isWorking(): boolean {
    return this.state.running
  }

  /** True while a turn is followed that another process works on. */
  get isFollowing(): boolean {
    return this.#followed.isOn
  }

  /** Shows the last messages, and offers to go on with a turn that a process has left unfinished. */
  async begin(): Promise<void> {
    const { loaded, model, notices, sandboxNotice, firstSteps } = this.composed
    this.say(`Turnbuckle · ${model.id} · ${loaded.root}`)
    if (firstSteps) this.say(firstSteps)
    for (const text of notices) this.say(text, 'warn')
    sandboxNotice.onNotice(text => this.say(text))
    await this.#author.read(this.composed.store, this.conversation.id)
    if (this.conversation.head !== undefined) await this.#queue.read(this.conversation.id)
    this.set(await recordedUsage(this.composed.store, this.conversation))
    await this.#recorded.showLast(this.conversation, process.stdout.rows || 24)
    await this.#takeUp()
    if (this.isFollowing) this.#queue.leaveToOther()
  }

  /** Goes over to another conversation. */
  async open(conversation: Conversation): Promise<void> {
    this.#followed.leave()
    this.conversation = conversation
    this.turn = undefined
    this.lastTurn = undefined
    this.#queue.clear()
    this.#later.clear()
    await this.#author.read(this.composed.store, conversation.id)
    this.set(await recordedUsage(this.composed.store, conversation))
    if (conversation.head !== undefined) await this.#queue.read(conversation.id)
    this.redraw()
    await this.#takeUp()
    if (this.isFollowing) this.#queue.leaveToOther()
  }

  /** Shows the path to the head, on an empty screen; what was there is in the scrollback. */
  redraw(): void {
    this.set({ context: branchContext(this.conversation) })
    this.#recorded.redraw(this.conversation)
  }
  /** Every item of the transcript, with those that were not read when the chat began. */
  wholeTranscript(): readonly TranscriptItem[] {
    return this.#recorded.whole(this.conversation)
  }

  /** Names work beside turns in the status line, as a command of the person's own, until the function is called that this gives. `end` ends the work. */
  startBeside(name: string, end: () => void): () => void {
    const work = { name, end }
    this.set(state => ({ ...state, beside: [...state.beside, work] }))
    return () => this.set(state => ({ ...state, beside: state.beside.filter(one => one !== work) }))
  }
  endBeside(): void {
    for (const { end } of this.state.beside) end()
  }

  /** Adds what a model call outside of a turn has used. */
  count(usage: Usage | undefined): void {
    if (!usage) return
    const { tokens, cost, isCostPartial } = this.state
    this.set({
      tokens: tokens + usage.inputTokens + usage.outputTokens,
      cost: cost + (usage.cost ?? 0),
      isCostPartial: isCostPartial || usage.cost === undefined,
    })
  }

  /** Follows the turn that has not ended, where another process works on it; else offers to go on with it. */
  async #takeUp(): Promise<void> {
    const { id, unfinished } = this.conversation
    const [open] = unfinished
    if (open === undefined) return
    const row = await this.composed.store.conversation(id)
    if (row?.held) this.#followElsewhere(open)
    else offerToGoOn(this, open)
  }
  #followElsewhere(turnId: string): void {
    const told = this.#forgetTold(turnId)
    this.repaint()
    this.say('Another program works on this turn. You see here how it goes on, and can answer what it asks.')
    const waiting = this.conversation.requests.map(({ id }) => id)
    for (const event of told)
      if (event.type !== 'request.opened' || waiting.includes(event.requestId)) this.#hear(event)
      else this.#frames.hear(event)
    const after = told.findLast(({ seq }) => seq !== undefined)?.seq ?? 0
    this.#followed.follow(this.conversation.id, turnId, after)
  }
  /** Takes away what is shown of a turn whose events will be heard from the beginning. Gives those that it has told. */
  #forgetTold(turnId: string): ReturnType<Conversation['told']> {
    const told = this.conversation.told(turnId)
    this.#recorded.forgetCut(this.conversation)
    this.set(withoutTold(this.state, told))
    return told
  }
  /** The other process is done with the turn, or has left it in the middle. A conversation that is not given is deleted. */
  async #readOn(how: TurnElsewhereEnd, conversation: Conversation | undefined): Promise<void> {
    if (!conversation) return this.#leaveDeleted()
    this.conversation = conversation
    if (how === 'left') this.redraw()
    else this.#queue.forgetOther()
    await this.#takeUp()
    if (this.isFollowing) return
    if (how === 'left') await this.#queue.takeOver(conversation.id)
    else this.#sendNext()
  }
  async #leaveDeleted(): Promise<void> {
    const { queue } = this.state
    await this.open(this.composed.agent.conversation())
    this.say('Another program has deleted the conversation. This is a new one.', 'warn')
    if (queue.length) this.say(['Not sent:', ...queue].join('\n'), 'warn')
  }

  resume(): void {
    const [unfinished] = this.conversation.unfinished
    this.#followed.leave()
    if (unfinished !== undefined) this.#forgetTold(unfinished)
    const turn = this.composed.agent.resume(this.conversation.id)
    if (!turn) {
      this.say('There is nothing to go on with.')
      return
    }
    // A resumed turn has a conversation handle of its own; afterwards the chat needs one that has its messages.
    void this.#follow(turn, () => this.composed.agent.conversation(this.conversation.id))
  }

  /** Starts a turn, or says it to the one that runs here. With files, or said to a turn that has just ended or is elsewhere, it waits for the end of that turn. */
  send(text: string): void {
    try {
      const files = attachedFiles(text, this.composed.loaded.root)
      if (this.isFollowing) this.queue(text)
      else if (!this.isWorking) this.#start(text, files)
      else if (files.length || !this.#interject(text)) this.queue(text)
    } catch (error) {
      this.say((error as Error).message, 'warn')
    }
  }
  /** The person's words are the first part of the message: they are its title, and what a fork puts into the input. */
  #start(text: string, files: readonly FilePart[]): void {
    const content = [{ type: 'text', text } as const, ...this.#later.all.map(besides), ...files]
    const turn = this.conversation.send({ role: 'user', content })
    this.#later.clear()
    void this.#follow(turn)
  }
  /** False where the turn has ended just now. */
  #interject(text: string): boolean {
    const said = this.#withLater(text)
    try {
      this.turn?.interject(said)
      this.#interjected.set(said, { text, later: this.#later.all })
      this.#later.clear()
      return true
    } catch {
      return false
    }
  }

  #withLater(text: string): string {
    return [text, ...this.#later.all].join('\n\n')
  }

  /** Adds a text to the next message: the model has to know it, and need not answer it. */
  tellLater(text: string): void {
    this.#later.tell(text)
  }
  /** Adds the texts of a message that is said again, in place of those of another. */
  tellAgain(texts: readonly string[]): void {
    this.#later.tellAgain(texts)
  }
  /** Sends a message when the turn has ended. */
  queue(text: string): void {
    if (this.isWorking || this.isFollowing) this.#queue.add(this.conversation.id, text)
    else this.send(text)
  }
  /** Takes back the last message that waits, to write it differently or not at all: for after this turn, else one that the turn has not heard. */
  takeBack(): string | undefined {
    return this.#queue.takeLast(this.conversation.id) ?? this.#takeBackInterjected()
  }
  #takeBackInterjected(): string | undefined {
    const said = this.turn?.takeBack()
    if (said === undefined) return undefined
    const { text, later } = this.#interjected.get(said) ?? { text: said, later: [] }
    this.#later.giveBack(later)
    return text
  }
  interrupt(reason: string): void {
    this.turn?.interrupt(reason)
  }

  async #follow(turn: Turn, handle?: () => Conversation): Promise<void> {
    this.turn = turn
    this.lastTurn = turn.id
    this.#interjected.clear()
    // What an unfinished turn of before has not heard waits for that turn, not for this one.
    const view = { ...this.state.view, queued: [] }
    this.set({ view, running: true, activity: 'thinking', startedAt: this.#now() })
    for await (const event of turn) this.#hear(event)
    await turn.settled
    if (handle) this.conversation = handle()
    if (this.#queue.isEmpty) this.#ring()
    this.set({ running: false, startedAt: 0, retry: undefined, activity: '' })
    this.refresh()
    this.#sendNext()
  }
  #sendNext(): void {
    const next = this.#queue.takeFirst(this.conversation.id)
    if (next !== undefined) this.send(next)
  }

  #hear(event: Event): void {
    this.#frames.hear(event)
    if (event.type === 'request.opened') {
      // The mode is that of turns which run here.
      if (event.kind === 'permission' && this.isWorking && this.modes.accepts(event.payload)) return
      this.#questions.put(requestQuestion(event))
      this.#ring()
    } else if (event.type === 'request.answered') this.#questions.closeAnswered(event, localPerson())
    else if (event.type === 'request.expired') this.#questions.close(event.requestId)
  }

  /** Whoever looks elsewhere is called back by a bell, when a long turn ends or asks. */
  #ring(): void {
    const { bellAfterSeconds = 15 } = this.composed.loaded.user
    if (bellAfterSeconds && this.#now() - this.state.startedAt > bellAfterSeconds * 1000) this.terminal.ring()
  }

  /** Asks something of the chat's own. Gives how to withdraw it: then nobody answers. */
  ask(question: Omit<Question, 'id'>, answer: Answer): () => void {
    return this.#questions.ask(question, answer)
  }
  /** Ends a request of the turn unanswered. That of a turn elsewhere is not ended from here: it stays. */
  expire(question: Question): void {
    if (this.isFollowing && !question.own) this.change(question, { problem: waitsElsewhere })
    else this.#questions.expire(question)
  }
  answer(question: Question, given: unknown): void {
    this.#questions.answer(question, given)
  }
  change(question: Question, changes: Partial<Question>): void {
    this.#questions.change(question, changes)
  }
}

const waitsElsewhere = 'The other program waits for an answer, and cannot be told that there is none.'
