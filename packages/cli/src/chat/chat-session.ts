import { basename } from 'node:path'
import type { Conversation, Event, FilePart, Message, Turn, Usage } from 'turnbuckle'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { gitBranch } from '../compose/git-branch.ts'
import { ChatModes } from './chat-modes.ts'
import { type Answer, ChatQuestions } from './chat-questions.ts'
import { type ChatTerminal, noTerminal } from './chat-terminal.ts'
import { attachedFiles } from './input/attached-files.ts'
import { addNotice } from './transcript/change-item.ts'
import { type ChatState, emptyChatState } from './transcript/chat-state.ts'
import { pathItems } from './transcript/message-items.ts'
import type { Question } from './transcript/question.ts'
import { recordedView } from './transcript/recorded-view.ts'
import { requestQuestion } from './transcript/request-question.ts'
import { showEvent } from './transcript/show-event.ts'
import { showRecorded } from './transcript/show-recorded.ts'
import type { TranscriptItem } from './transcript/transcript-item.ts'

const frameMs = 40
const queueSpace = 'queue'
/** Messages that are read when a recorded conversation is opened. */
const lastMessages = 60

/** True for the answer of a yes-or-no question that says yes. */
export const isAllowed = (given: unknown): boolean => (given as { decision?: unknown }).decision === 'allow'

/** A chat: a conversation, the turn that runs in it, and the state that the screen draws. Draws nothing itself. */
export class ChatSession {
  /** Messages that wait for the end of the turn. */
  #queue: readonly string[] = []
  readonly composed: ComposedAgent
  conversation: Conversation
  turn: Turn | undefined
  lastTurn: string | undefined
  state: ChatState
  readonly #listeners = new Set<() => void>()
  readonly #questions = new ChatQuestions(this)
  /** Deltas that have come and are not drawn yet. */
  #fresh: Event[] = []
  #frame: NodeJS.Timeout | undefined
  /** Items of a turn that another process left in the middle; a resumed turn tells them again. */
  #cut: readonly TranscriptItem[] = []
  /** Texts for the model that go with the next message. */
  #later: readonly string[] = []
  readonly modes: ChatModes = new ChatModes(this)
  /** Commands of the person's own that run now: how to end each. */
  readonly ownCommands: Set<() => void> = new Set()

  constructor(composed: ComposedAgent, conversation: Conversation) {
    this.composed = composed
    this.conversation = conversation
    this.state = { ...emptyChatState, ...this.#about() }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  set(change: Partial<ChatState> | ((state: ChatState) => ChatState)): void {
    this.state = typeof change === 'function' ? change(this.state) : { ...this.state, ...change }
    for (const listener of this.#listeners) listener()
  }
  readonly say = (text: string, tone: 'plain' | 'warn' = 'plain'): void => {
    this.set(state => addNotice(state, text, tone))
  }
  /** The terminal's part of the chat: set by `startChat`. */
  terminal: ChatTerminal = noTerminal
  /** True while a turn runs that can be stopped. */
  get isWorking(): boolean {
    return this.turn !== undefined && !this.turn.ended
  }
  /** Resolves when no turn runs. */
  idle(): Promise<void> {
    return new Promise(resolve => {
      const check = () => {
        if (this.state.running) return
        off()
        resolve()
      }
      const off = this.subscribe(check)
      check()
    })
  }
  refresh(): void {
    this.set(this.#about())
  }
  /** What the status line says of the agent and its place; a command may have changed the branch. */
  #about(): Pick<ChatState, 'model' | 'hooks' | 'folder'> {
    const { model, loaded } = this.composed
    const branch = gitBranch(loaded.root)
    const folder = `${basename(loaded.root)}${branch === undefined ? '' : ` (${branch})`}`
    return { model: model.id, hooks: this.#hooks(), folder }
  }
  #hooks(): string {
    const on = this.composed.agent.middleware.filter(({ enabled }) => enabled)
    return `${on.length} hooks`
  }

  /** Shows the path to the head, on an empty screen; what was there is in the scrollback. */
  redraw(): void {
    this.set(state => ({ ...state, past: [], live: [], hasOlder: false, epoch: state.epoch + 1, tree: undefined }))
    this.#showRecorded()
  }
  #showRecorded(messages?: readonly Message[]): void {
    const { state, cut } = showRecorded(this.state, this.conversation, messages)
    this.#cut = cut
    this.set(state)
  }

  /** Messages for the first screens. The rest of a long conversation is read when somebody looks at it. */
  async #lastMessages(): Promise<readonly Message[] | undefined> {
    const { id, head, unfinished } = this.conversation
    if (head === undefined || unfinished.length) return undefined
    const nodes = await this.composed.store.path(id, head, lastMessages)
    this.set({ hasOlder: nodes.length === lastMessages })
    return nodes.flatMap(({ message, hidden }) => (hidden ? [] : [message]))
  }

  /** Every item of the transcript, with those that were not read when the chat began. */
  wholeTranscript(): readonly TranscriptItem[] {
    const { past, live, hasOlder } = this.state
    if (!hasOlder) return [...past, ...live]
    const known = new Set(past.map(({ id }) => id))
    const first = past.findIndex(({ kind }) => kind !== 'notice')
    const older = pathItems(this.conversation.messages).filter(({ id }) => !known.has(id))
    return [...past.slice(0, first), ...older, ...past.slice(first), ...live]
  }

  /** Draws the same transcript again, on an empty screen. */
  repaint(change: Partial<ChatState> = {}): void {
    this.set(state => ({ ...state, ...change, epoch: state.epoch + 1 }))
  }
  /** Shows thoughts in full, or folds them; what was drawn is drawn anew. */
  toggleReasoning(): void {
    this.repaint({ unfolded: !this.state.unfolded })
  }

  /** Shows the last messages, and offers to go on with a turn that a process has left unfinished. */
  async begin(): Promise<void> {
    const { loaded, model, notices, firstSteps } = this.composed
    this.say(`Turnbuckle · ${model.id} · ${loaded.root}`)
    if (firstSteps) this.say(firstSteps)
    for (const text of notices) this.say(text, 'warn')
    this.#showRecorded(await this.#lastMessages())
    this.#offerToGoOn()
  }

  /** Goes over to another conversation. */
  async open(conversation: Conversation): Promise<void> {
    this.conversation = conversation
    this.turn = undefined
    this.lastTurn = undefined
    this.#queue = []
    this.set({ tokens: 0, cost: 0, isCostPartial: false, context: 0, queue: [] })
    if (conversation.head !== undefined) await this.readQueue()
    this.redraw()
    this.#offerToGoOn()
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

  #offerToGoOn(): void {
    const [open] = this.conversation.unfinished
    if (open === undefined) return
    if (this.#wentOnSince(open)) {
      this.say('An earlier turn did not end. /continue goes on with it.')
      return
    }
    this.ask(
      {
        kind: 'yes-no',
        title: 'The last turn did not end',
        body: 'The program was ended in the middle of it, or works on it in another window. Go on with it?',
      },
      yes => {
        if (isAllowed(yes)) this.resume()
        else this.say('Left as it is. /continue goes on with it.')
      },
    )
  }

  /** True when a message of another turn came after the unfinished turn began. */
  #wentOnSince(turnId: string): boolean {
    const last = this.conversation.tree.at(-1)
    const begun = this.conversation.told(turnId)[0]?.at ?? 0
    return last !== undefined && last.turnId !== turnId && last.createdAt > begun
  }

  resume(): void {
    const view = recordedView(this.conversation)
    const turn = this.composed.agent.resume(this.conversation.id)
    if (!turn) {
      this.say('There is nothing to go on with.')
      return
    }
    // A resumed turn sends its events from the beginning: the items of its first run go.
    const again = new Set(this.#cut)
    this.set(state => ({
      ...state,
      view,
      past: state.past.filter(item => !again.has(item)),
    }))
    // A resumed turn has a conversation handle of its own; afterwards the chat needs one that has its messages.
    void this.#follow(turn, () => this.composed.agent.conversation(this.conversation.id))
  }

  /** Starts a turn, or says it to the one that runs. With files it waits for the end of that turn. */
  send(text: string): void {
    const said = [text, ...this.#later].join('\n\n')
    try {
      const files = attachedFiles(text, this.composed.loaded.root)
      if (files.length && this.isWorking) this.queue(text)
      else if (files.length || !this.#interject(said)) this.#start(said, files)
    } catch (error) {
      this.say((error as Error).message, 'warn')
    }
  }
  #start(text: string, files: readonly FilePart[]): void {
    const turn = this.conversation.send(
      files.length ? { role: 'user', content: [{ type: 'text', text }, ...files] } : text,
    )
    this.#later = []
    void this.#follow(turn)
  }
  /** False where no turn runs, or it has ended just now: then the text starts a turn of its own. */
  #interject(text: string): boolean {
    if (!this.isWorking) return false
    try {
      this.turn?.interject(text)
      this.#later = []
      return true
    } catch {
      return false
    }
  }

  /** Adds a text to the next message: the model has to know it, and need not answer it. */
  tellLater(text: string): void {
    this.#later = [...this.#later, text]
  }

  queue(text: string): void {
    if (!this.turn || this.turn.ended) {
      this.send(text)
      return
    }
    this.#setQueue([...this.#queue, text])
  }

  /** Kept in the store, and shown then: a message that is seen to wait for the end of the turn survives the process. */
  #setQueue(queue: readonly string[]): void {
    if (queue.length < this.#queue.length) this.set({ queue })
    this.#queue = queue
    const keep = async () => this.composed.store.set(queueSpace, this.conversation.id, queue)
    const show = () => {
      if (this.#queue === queue) this.set({ queue })
    }
    keep().then(show, show)
  }
  /** Takes the last message out of the queue, to write it differently or not at all. */
  takeBack(): string | undefined {
    const last = this.#queue.at(-1)
    if (last !== undefined) this.#setQueue(this.#queue.slice(0, -1))
    return last
  }
  async readQueue(): Promise<void> {
    const queue = await this.composed.store.get(queueSpace, this.conversation.id)
    if (!Array.isArray(queue)) return
    this.#queue = queue
    this.set({ queue })
  }

  interrupt(reason: string): void {
    this.turn?.interrupt(reason)
  }

  async #follow(turn: Turn, handle?: () => Conversation): Promise<void> {
    this.turn = turn
    this.lastTurn = turn.id
    this.set({ running: true, activity: 'thinking', startedAt: Date.now() })
    for await (const event of turn) this.#hear(event)
    await turn.settled
    if (handle) this.conversation = handle()
    if (!this.#queue.length) this.#ring()
    this.set({ ...this.#about(), running: false, startedAt: 0, retry: undefined, activity: '' })
    const [next, ...queue] = this.#queue
    if (next === undefined) return
    this.#setQueue(queue)
    this.send(next)
  }

  /** Whoever looks elsewhere is called back by a bell, when a long turn ends or asks. */
  #ring(): void {
    const { bellAfterSeconds = 15 } = this.composed.loaded.user
    if (bellAfterSeconds && Date.now() - this.state.startedAt > bellAfterSeconds * 1000) this.terminal.ring()
  }

  #hear(event: Event): void {
    if (event.type === 'message.delta' || event.type === 'tool.delta' || event.type === 'agent.event') {
      // Deltas, and what sub-agents do, come many times a second: they are collected and drawn once per frame.
      this.#fresh.push(event)
      this.#frame ??= setTimeout(() => void this.#drawText(), frameMs)
      return
    }
    const fresh = this.#fresh
    this.#fresh = []
    this.set(state => [...fresh, event].reduce(showEvent, state))
    if (event.type === 'request.opened') {
      if (event.kind === 'permission' && this.modes.accepts(event.payload)) return
      this.#questions.put(requestQuestion(event))
      this.#ring()
    } else if (event.type === 'request.answered' || event.type === 'request.expired')
      this.#questions.close(event.requestId)
  }

  /** Order: text is drawn when the log has it, so that it is there after a crash. A store that fails ends the turn. */
  async #drawText(): Promise<void> {
    const fresh = this.#fresh
    const { length } = fresh
    await this.conversation.kept().catch(() => {})
    this.#frame = undefined
    // Another event has applied these deltas meanwhile.
    if (fresh !== this.#fresh) return
    const shown = fresh.splice(0, length)
    this.set(state => shown.reduce(showEvent, state))
    if (fresh.length) this.#frame = setTimeout(() => void this.#drawText(), frameMs)
  }

  /** Asks something of the chat's own. */
  ask(question: Omit<Question, 'id'>, answer: Answer): void {
    this.#questions.ask(question, answer)
  }
  expire(question: Question): void {
    this.#questions.expire(question)
  }
  answer(question: Question, given: unknown): void {
    this.#questions.answer(question, given)
  }
  change(question: Question, changes: Partial<Question>): void {
    this.#questions.change(question, changes)
  }
}
