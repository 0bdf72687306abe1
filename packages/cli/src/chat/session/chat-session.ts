import type { Conversation, Event, FilePart, Turn } from 'turnbuckle'
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
import { Interjections, type Said } from './interjections.ts'
import { LaterTexts } from './later-texts.ts'
import { giveBackUnsent, isLocked, isLostRace, isStillAhead } from './lost-race.ts'
import { MessageQueue } from './message-queue.ts'
import { offerToGoOn } from './offer-to-go-on.ts'
import { RecordedTranscript } from './recorded-transcript.ts'
import { branchContext, recordedUsage, withoutTold } from './recorded-usage.ts'
import { ShownChat } from './shown-chat.ts'
import type { TurnElsewhereEnd } from './turn-elsewhere.ts'
import { TurnsOfOthers } from './turns-of-others.ts'

interface FollowOptions {
  /** The message that the turn begins with, and the one that it is said behind. */
  readonly said?: Said & { readonly parent: string | undefined }
  /** Gives the conversation anew when the turn has ended. */
  readonly handle?: () => Conversation
}

/** A chat: a conversation, and the turn that runs in it. */
export class ChatSession extends ShownChat {
  conversation: Conversation
  turn: Turn | undefined
  lastTurn: string | undefined
  /** The last turn that the person has stopped. */
  #stopped: Turn | undefined
  /** Messages that waited when it was stopped; those that are written later are sent. */
  #unsent = 0
  /** The person has left: what waits stays in the store. */
  #isLeft = false
  /** The terminal's part of the chat: set by `startChat`. */
  terminal: ChatTerminal = noTerminal
  readonly modes: ChatModes = new ChatModes(this)
  readonly #queue = new MessageQueue(this)
  readonly #recorded = new RecordedTranscript(this)
  readonly #frames = new EventFrames(this, () => this.conversation.kept())
  readonly #questions = new ChatQuestions(this, {
    answer: (id, given) =>
      this.isFollowing
        ? this.#others.answer(id, given, this.#author.options)
        : this.conversation.answer(id, given, this.#author.options),
    expire: id => this.turn?.expire(id),
  })
  readonly #others: TurnsOfOthers
  /** What was sent here waits for another process. */
  #isWaiting = false
  readonly #later = new LaterTexts()
  readonly #interjections = new Interjections(this.#later)
  readonly #author = new AnswerAuthor()
  readonly #now: () => number

  /** `now`: milliseconds since the epoch. */
  constructor(composed: ComposedAgent, conversation: Conversation, now: () => number = Date.now) {
    super(composed)
    this.conversation = conversation
    this.#now = now
    this.#others = new TurnsOfOthers(this, {
      isWaiting: () => this.#isWaiting,
      hear: event => this.#hear(event),
      show: event => this.#frames.hear(event),
      forgetTold: turnId => this.#forgetTold(turnId),
      offerToGoOn: turnId => offerToGoOn(this, turnId),
      over: how => this.#goOnAfter(how),
    })
  }

  /** True from the start of a turn until its end is in the log and shown. */
  get isWorking(): boolean {
    return this.state.running
  }

  /** True while a turn is followed that another process works on. */
  get isFollowing(): boolean {
    return this.#others.isFollowing
  }

  /** Shows the last messages, and offers to go on with a turn that a process has left unfinished. */
  async begin(): Promise<void> {
    const { loaded, model, notices, sandboxNotice, firstSteps } = this.composed
    this.say(`Turnbuckle · ${model.id} · ${loaded.root}`)
    if (firstSteps) this.say(firstSteps)
    for (const text of notices) this.say(text, 'warn')
    sandboxNotice.onNotice(text => this.say(text))
    await this.#author.read(this.composed.store, this.conversation.id)
    this.set(await recordedUsage(this.composed.store, this.conversation))
    void this.composed.fileVersions.read(this.conversation.id)
    await this.#others.begin()
    await this.#recorded.showLast(this.conversation, process.stdout.rows || 24)
    await this.#others.takeUp()
    await this.#takeOverQueue()
  }

  /** Goes over to another conversation. */
  async open(conversation: Conversation): Promise<void> {
    this.#others.leave()
    this.conversation = conversation
    this.turn = undefined
    this.lastTurn = undefined
    this.#queue.clear()
    this.#isWaiting = false
    this.#later.clear()
    await this.#author.read(this.composed.store, conversation.id)
    this.set(await recordedUsage(this.composed.store, conversation))
    void this.composed.fileVersions.read(conversation.id)
    await this.#others.open()
    this.redraw()
    await this.#others.takeUp()
    await this.#takeOverQueue()
  }
  /** Another process that works on the conversation sends what waits there itself. Where no turn is unfinished, nothing will end that it could wait for. */
  async #takeOverQueue(): Promise<void> {
    const { head, id, unfinished } = this.conversation
    if (head === undefined || this.isFollowing) return
    await this.#queue.takeOver(id)
    if (!unfinished.length) giveBackUnsent(this, this.#queue.take(id), 'The chat was left')
  }

  /** Shows the path to the head, on an empty screen; what was there is in the scrollback. */
  redraw(): void {
    this.#others.shown()
    this.set({ context: branchContext(this.conversation) })
    this.#recorded.redraw(this.conversation)
  }
  /** Every item of the transcript, with those that were not read when the chat began. */
  wholeTranscript(): readonly TranscriptItem[] {
    return this.#recorded.whole(this.conversation)
  }

  /** Takes away what is shown of a turn whose events will be heard from the beginning. Gives those that it has told. */
  #forgetTold(turnId: string): ReturnType<Conversation['told']> {
    const told = this.conversation.told(turnId)
    this.#recorded.forgetCut(this.conversation)
    this.set(withoutTold(this.state, told))
    return told
  }
  /** No turn of another process is followed any more. */
  async #goOnAfter(how: TurnElsewhereEnd): Promise<void> {
    if (how === 'ended') this.#sendNext()
    else if (how === 'left') await this.#queue.takeOver(this.conversation.id)
    else await this.#leaveDeleted()
  }
  async #leaveDeleted(): Promise<void> {
    const { queue } = this.state
    await this.open(this.composed.agent.conversation())
    this.say('Another program has deleted the conversation. This is a new one.', 'warn')
    if (queue.length) this.say(['Not sent:', ...queue].join('\n'), 'warn')
  }

  resume(): void {
    const [unfinished] = this.conversation.unfinished
    this.#others.leave()
    if (unfinished !== undefined) this.#forgetTold(unfinished)
    const turn = this.composed.agent.resume(this.conversation.id)
    if (!turn) {
      this.say('There is nothing to go on with.')
      return
    }
    // A resumed turn has a conversation handle of its own; afterwards the chat needs one that has its messages.
    void this.#follow(turn, { handle: () => this.composed.agent.conversation(this.conversation.id) })
  }

  /** The turn that runs is being stopped: it hears nothing any more. */
  get #isStopped(): boolean {
    return this.#stopped === this.turn
  }
  /** Starts a turn, or says it to the one that runs here. With files, or said to a turn that has just ended, is being stopped or is elsewhere, it waits for the end of that turn. */
  send(text: string): void {
    try {
      const files = attachedFiles(text, this.composed.loaded.root)
      if (this.isFollowing || this.#isWaiting) this.queue(text)
      else if (!this.isWorking) this.#start(text, files)
      else if (files.length || this.#isStopped || !this.#interjections.say(this.turn, text)) this.queue(text)
    } catch (error) {
      this.say((error as Error).message, 'warn')
    }
  }
  /** The person's words are the first part of the message: they are its title, and what a fork puts into the input. */
  #start(text: string, files: readonly FilePart[]): void {
    const content = [{ type: 'text', text } as const, ...this.#later.all.map(besides), ...files]
    const said = { text, later: this.#later.all, parent: this.conversation.head }
    const turn = this.conversation.send({ role: 'user', content })
    this.#later.clear()
    void this.#follow(turn, { said })
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
    const isElsewhere = this.isFollowing || this.#isWaiting
    if (isElsewhere) this.#isWaiting = true
    if (isElsewhere || this.isWorking) this.#queue.add(this.conversation.id, text)
    else this.send(text)
  }
  /** Takes back the last message that waits, to write it differently or not at all: for after this turn, else one that the turn has not heard. */
  takeBack(): string | undefined {
    const last = this.#queue.takeLast(this.conversation.id)
    if (this.#queue.isEmpty) this.#isWaiting = false
    return last ?? this.#interjections.takeBack(this.turn)
  }
  /** What waits for the turn, or was said to it and is not heard yet, is not sent: it is in the input again when the turn has ended. */
  interrupt(reason: string): void {
    const unheard = this.#interjections.takeBackAll(this.turn)
    if (unheard.length) this.#queue.addFirst(this.conversation.id, ...unheard)
    this.#stopped = this.turn
    this.#unsent = this.#queue.length
    this.turn?.interrupt(reason)
  }

  /** Ends what runs, as the person leaves. What waits is there again when they come back. */
  async leave(): Promise<void> {
    this.#isLeft = true
    this.endBeside()
    if (!this.turn || this.turn.ended) return
    this.turn.interrupt('the person left')
    await this.turn.settled
  }

  async #follow(turn: Turn, { handle, said }: FollowOptions): Promise<void> {
    this.turn = turn
    this.lastTurn = turn.id
    this.#interjections.clear()
    // What an unfinished turn of before has not heard waits for that turn, not for this one.
    const view = { ...this.state.view, queued: [] }
    this.set({ view, running: true, activity: 'thinking', startedAt: this.#now() })
    for await (const event of turn) {
      if (said && event.type === 'turn.started') await this.#others.showMissed(event)
      if (!(await isLostRace(turn, event))) this.#hear(event)
    }
    const { error } = await turn.settled
    if (handle) this.conversation = handle()
    if (this.#queue.isEmpty) this.#ring()
    this.set({ running: false, startedAt: 0, retry: undefined, activity: '' })
    this.refresh()
    if (isLocked(error)) await this.#waitForOther(said)
    else if (!this.#isLeft) this.#afterTurn()
  }
  /** Another process was faster: what was said waits for the end of its turn, which is shown meanwhile. What was stopped, or was for another place, is not sent. */
  async #waitForOther(said: FollowOptions['said']): Promise<void> {
    const { id } = this.conversation
    const unheard = [...(said ? [said] : []), ...this.#interjections.takeAll()]
    const texts = unheard.map(({ text }) => text)
    this.#later.giveBack(unheard.flatMap(({ later }) => later))
    // What is sent meanwhile waits behind it.
    this.#isWaiting = texts.length > 0
    try {
      const why = await this.#whyNotToWait(said).catch((error: Error) => error.message)
      if (why) this.#isWaiting = !this.#queue.isEmpty
      if (texts.length && why) giveBackUnsent(this, texts, why)
      else if (texts.length) this.#queue.addFirst(id, ...texts)
      if (said) await this.#others.showGrown()
      else await this.#readAgain()
    } catch (error) {
      this.say((error as Error).message, 'warn')
    }
  }
  /** The handle whose turn could not begin is not used again. */
  async #whyNotToWait(said: FollowOptions['said']): Promise<string | undefined> {
    const { id } = this.conversation
    const isStopped = this.#isStopped
    const news = (await this.#others.unknown()).flatMap(({ turnId = [] }) => turnId)
    this.conversation = await this.composed.agent.open(id)
    if (isStopped) return 'You have stopped it'
    const isAhead = !said || isStillAhead(said.parent, this.conversation, news)
    return isAhead ? undefined : 'Another program works on another branch'
  }
  async #readAgain(): Promise<void> {
    this.set(await recordedUsage(this.composed.store, this.conversation))
    this.redraw()
    await this.#others.takeUp()
  }
  #afterTurn(): void {
    if (this.#isStopped)
      giveBackUnsent(this, this.#queue.take(this.conversation.id, this.#unsent), 'You have stopped it')
    this.#sendNext()
  }
  #sendNext(): void {
    const next = this.#queue.takeFirst(this.conversation.id)
    this.#isWaiting = false
    if (next !== undefined) this.send(next)
  }

  #hear(event: Event): void {
    this.#others.hear(event)
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
