import { none } from '../base/lists.ts'
import type { Call, Message, ToolResult } from '../base/message.ts'
import type { ResponseFacts, Usage } from '../base/ports.ts'
import type { GrowingReply } from '../events/growing-reply.ts'
import { StepDraft } from './step-draft.ts'

/** The step under way: its attempt, its reply, and whether the model wants another step. */
export class StepState {
  #index = -1
  #attempts = 0
  #attempt: GrowingReply | undefined
  #draft: StepDraft
  #replyRecorded = false
  #wantsMore: boolean | undefined
  #decidedBy: string | undefined
  #lastResults: readonly ToolResult[] = none
  #startStage: string | undefined
  #known: Message | undefined
  #finishReason: string | undefined

  constructor(at: number) {
    this.#draft = new StepDraft(undefined, at)
  }

  /** From 0; -1 before the first step. */
  get index(): number {
    return this.#index
  }
  /** The data in flight, as hooks see it. The loop writes to it by the methods here; a hook may set `finishReason`. */
  get draft(): StepDraft {
    return this.#draft
  }
  /** The model's reply as it grows, until it is recorded or withdrawn. */
  get attempt(): GrowingReply | undefined {
    return this.#attempt
  }
  /** Why the model ended the last reply; also after its step is over. */
  get finishReason(): string | undefined {
    return this.#finishReason
  }
  get replyRecorded(): boolean {
    return this.#replyRecorded
  }
  /** The word of the `decide` stage on whether another step is wanted; undefined until it has run. */
  get wantsMore(): boolean | undefined {
    return this.#wantsMore
  }
  /** The results of the step before. */
  get lastResults(): readonly ToolResult[] {
    return this.#lastResults
  }

  begin(at: number): void {
    this.#lastResults = this.#draft.results
    this.#index++
    this.#attempts = 0
    this.decide(undefined)
    this.#known = undefined
    this.clearDraft(at)
  }
  /** A resumed turn was interrupted before it got to this step again. */
  skipTo(index: number): void {
    this.#index = Math.max(this.#index, index)
  }
  clearDraft(at: number): void {
    this.#draft = new StepDraft(this.#draft.userMessage, at)
    this.#draft.growsWith(this.#attempt)
  }

  /** Numbers the attempts of the step. Only grows. */
  nextAttempt(): number {
    return this.#attempts++
  }
  /** The number that was given last. */
  get lastAttempt(): number {
    return this.#attempts - 1
  }
  skipAttempts(begun: number): void {
    this.#attempts = Math.max(this.#attempts, begun)
  }
  beginAttempt(attempt: GrowingReply): void {
    this.#attempt = attempt
    this.#draft.growsWith(attempt)
  }
  endAttempt(): void {
    this.#attempt = undefined
    this.#draft.growsWith(undefined)
  }
  /** True for a message whose texts have come as a stream, so that `onChunk` hooks have seen them; also in a process before. */
  hasStreamed(message: Message): boolean {
    const streamed = this.#attempt?.message() ?? this.#known
    return streamed !== undefined && spokenIn(streamed) === spokenIn(message)
  }
  /** The log has the reply of this step. */
  useKnown(reply: Message): void {
    this.#known = reply
  }
  /** The attempt does not count: its shown text is withdrawn. */
  dropAttempt(reason: string): void {
    this.#attempt?.withdraw(reason)
    this.endAttempt()
    this.#draft.reply = undefined
  }
  /** The stream of the attempt is over. */
  closeAttempt(usage: Usage | undefined, finishReason: string | undefined, response?: ResponseFacts): void {
    this.#draft.usage = usage
    this.#draft.response = response
    this.#draft.finishReason = finishReason
  }

  setUserMessage(message: Message): void {
    this.#draft.userMessage = message
  }
  /** This is the reply of the step; its calls are not detected yet. */
  setReply(reply: Message): void {
    this.#draft.reply = reply
    this.#finishReason = this.#draft.finishReason
    this.#draft.calls = none
    this.#replyRecorded = false
  }
  /** The reply as after hooks see it, who may still replace it. */
  showReply(reply: Message): void {
    this.#draft.reply = reply
  }
  recordReply(): void {
    this.#replyRecorded = true
  }
  setCalls(calls: readonly Call[]): void {
    this.#draft.calls = calls
  }
  /** Calls that a hook gave take the place of those the model made, also in the reply that will be recorded. */
  replaceCalls(calls: readonly Call[], reply: Message): void {
    this.#draft.calls = calls
    this.#draft.reply = reply
  }
  setResults(results: readonly ToolResult[]): void {
    this.#draft.results = results
  }
  noteError(error: unknown): void {
    this.#draft.errors.push(error)
  }
  /** `by`: the hook's middleware that said so in place of the stage. */
  decide(wantsMore: boolean | undefined, by?: string): void {
    this.#wantsMore = wantsMore
    this.#decidedBy = by
  }
  get decidedBy(): string | undefined {
    return this.#decidedBy
  }

  /** The stage that the next step begins with, after a `goto` at the end of a step. */
  startWith(stage: string): void {
    this.#startStage = stage
  }
  takeStart(): string | undefined {
    const stage = this.#startStage
    this.#startStage = undefined
    return stage
  }
}

/** The texts and the reasoning of a message, in a row. */
const spokenIn = ({ content }: Message): string =>
  content.map(part => (part.type === 'text' || part.type === 'reasoning' ? part.text : '')).join('')
