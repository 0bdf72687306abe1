import type { Conversation, Event, Turn, TurnbuckleError } from 'turnbuckle'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { isShownWhole } from './screen/fit-question.ts'
import { addNotice } from './transcript/change-item.ts'
import { type ChatState, closeQuestion, emptyChatState } from './transcript/chat-state.ts'
import type { Question } from './transcript/question.ts'
import { recordedView } from './transcript/recorded-view.ts'
import { requestQuestion } from './transcript/request-question.ts'
import { showEvent } from './transcript/show-event.ts'
import { showRecorded } from './transcript/show-recorded.ts'
import type { TranscriptItem } from './transcript/transcript-item.ts'

const frameMs = 40
const queueSpace = 'queue'

type Answer = (given: unknown) => void

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
  /** Answers to questions that the chat asks itself, by question id. All other questions are requests of a turn. */
  readonly #own = new Map<string, Answer>()
  #asked = 0
  /** Deltas that have come and are not drawn yet. */
  #fresh: Event[] = []
  #frame: NodeJS.Timeout | undefined
  /** Items of a turn that another process left in the middle; a resumed turn tells them again. */
  #cut: readonly TranscriptItem[] = []

  constructor(composed: ComposedAgent, conversation: Conversation) {
    this.composed = composed
    this.conversation = conversation
    this.state = { ...emptyChatState, model: composed.model.id, hooks: this.#hooks() }
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
  /** Ends the chat. Set by `startChat`. */
  leave: () => void = () => {}
  refresh(): void {
    this.set({ model: this.composed.model.id, hooks: this.#hooks() })
  }
  #hooks(): string {
    const on = this.composed.agent.middleware.filter(({ enabled }) => enabled)
    return `${on.length} hooks`
  }

  /** Shows the path to the head, on a cleared screen. */
  redraw(): void {
    this.set(state => ({ ...state, past: [], live: [], epoch: state.epoch + 1, tree: undefined }))
    this.#showRecorded()
  }
  #showRecorded(): void {
    const { state, cut } = showRecorded(this.state, this.conversation)
    this.#cut = cut
    this.set(state)
  }

  /** Draws the same transcript again, on a cleared screen. */
  repaint(change: Partial<ChatState> = {}): void {
    this.set(state => ({ ...state, ...change, epoch: state.epoch + 1 }))
  }
  /** Shows thoughts in full, or folds them; what was drawn is drawn anew. */
  toggleReasoning(): void {
    this.repaint({ unfolded: !this.state.unfolded })
  }

  /** Offers to go on with a turn that a process has left unfinished. */
  begin(): void {
    const { loaded, model, notices } = this.composed
    this.say(`Turnbuckle · ${model.id} · ${loaded.root}`)
    for (const text of notices) this.say(text, 'warn')
    this.#showRecorded()
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
      epoch: state.epoch + 1,
    }))
    // A resumed turn has a conversation handle of its own; afterwards the chat needs one that has its messages.
    void this.#follow(turn, () => this.composed.agent.conversation(this.conversation.id))
  }

  /** Starts a turn, or says it to the one that runs. */
  send(text: string): void {
    if (this.turn && !this.turn.ended) {
      try {
        this.turn.interject(text)
        return
      } catch {
        // The turn ended just now: the text starts a turn of its own.
      }
    }
    try {
      void this.#follow(this.conversation.send(text))
    } catch (error) {
      this.say((error as Error).message, 'warn')
    }
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
    this.set({ running: true, activity: 'thinking' })
    for await (const event of turn) this.#hear(event)
    await turn.settled
    if (handle) this.conversation = handle()
    this.set({ running: false, activity: '' })
    const [next, ...queue] = this.#queue
    if (next === undefined) return
    this.#setQueue(queue)
    this.send(next)
  }

  #hear(event: Event): void {
    if (event.type === 'message.delta' || event.type === 'tool.delta') {
      // Deltas come many times a second: they are collected and drawn once per frame.
      this.#fresh.push(event)
      this.#frame ??= setTimeout(() => void this.#drawText(), frameMs)
      return
    }
    const fresh = this.#fresh
    this.#fresh = []
    this.set(state => [...fresh, event].reduce(showEvent, state))
    if (event.type === 'request.opened') {
      this.#put(requestQuestion(event))
    } else if (event.type === 'request.answered' || event.type === 'request.expired') this.#close(event.requestId)
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

  /** A question that is too long for the screen is also printed whole, as a notice. */
  #put(question: Question): void {
    const { columns = 80, rows = 24 } = process.stdout
    if (!isShownWhole(question, columns, rows))
      this.say([question.title, question.body, question.diff ?? ''].filter(Boolean).join('\n'))
    this.set(state => ({ ...state, questions: [...state.questions, question] }))
  }

  #close(id: string): void {
    this.set(state => closeQuestion(state, id))
  }

  /** Asks something of the chat's own. */
  ask(question: Omit<Question, 'id'>, answer: Answer): void {
    const id = `own_${this.#asked++}`
    this.#own.set(id, answer)
    this.set(state => ({ ...state, questions: [...state.questions, { ...question, id }] }))
  }

  /** Answers the question that is shown; an answer that is none leaves it open. */
  answer(question: Question, given: unknown): void {
    const own = this.#own.get(question.id)
    this.#own.delete(question.id)
    try {
      if (!own) this.conversation.answer(question.id, given)
      this.#close(question.id)
      own?.(given)
    } catch (error) {
      const { code, message } = error as TurnbuckleError
      if (code === 'request.invalid') this.change(question, { problem: message })
      else {
        this.#close(question.id)
        this.say(message, 'warn')
      }
    }
  }

  change(question: Question, changes: Partial<Question>): void {
    this.set(state => ({
      ...state,
      questions: state.questions.map(one => (one.id === question.id ? { ...one, ...changes } : one)),
    }))
  }
}
