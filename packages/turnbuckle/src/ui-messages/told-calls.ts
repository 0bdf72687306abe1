import type { Call, ToolResult } from '../core/base/message.ts'
import type { StepParts } from './step-parts.ts'

interface ToldCall {
  readonly messageId: string
  readonly name: string
  args: unknown
  /** As much of the arguments as was told while they were written. */
  written: string
  /** `writing`: its arguments grow, or it has not begun. `left`: it was taken back while a person or the client is asked about another call of its step. */
  state: 'writing' | 'made' | 'left'
  providerExecuted: boolean
  approval?: { readonly id: string; approved?: boolean }
  /** The request that asks the client for the result. */
  asked?: string
  /** The result that was told, as JSON: the same one is not told twice. */
  result?: string
}

/** The calls of a turn, as they were told in the UI message stream. */
export class ToldCalls {
  readonly #step: StepParts
  readonly #calls = new Map<string, ToldCall>()
  /** The ids of calls by the request that asks for their approval. */
  readonly #approvals = new Map<string, string>()

  #hasAskedClient = false

  constructor(step: StepParts) {
    this.#step = step
  }

  has(callId: string): boolean {
    return this.#calls.has(callId)
  }
  /** True where a call of the reply was begun that is none of `made`. */
  hasUnmade(messageId: string, made: ReadonlySet<string>): boolean {
    for (const [id, call] of this.#calls) if (call.messageId === messageId && !made.has(id)) return true
    return false
  }
  forget(messageId: string): void {
    for (const [id, call] of this.#calls) if (call.messageId === messageId) this.#calls.delete(id)
  }

  /** More of the arguments of a call. `offset`: characters before these. */
  grow(id: string, name: string, messageId: string, { text, offset }: { text: string; offset: number }): void {
    const known = this.#calls.get(id)
    const call = known ?? newCall(messageId, name)
    const owner = { messageId, callId: id }
    if (!known) {
      this.#calls.set(id, call)
      this.#step.tell({ type: 'tool-input-start', toolCallId: id, toolName: name }, owner)
    }
    const inputTextDelta = text.slice(Math.max(0, call.written.length - offset))
    call.written += inputTextDelta
    if (inputTextDelta) this.#step.tell({ type: 'tool-input-delta', toolCallId: id, inputTextDelta }, owner)
  }
  /**
   * A reply that is recorded has made the call. Its whole arguments are told when it begins, or a person or the client is asked about it:
   * a client runs a tool of its own as soon as it has them, and must not before guards have seen the call.
   */
  make({ id, name, args }: Call, messageId: string, providerExecuted: boolean): void {
    const call = this.#calls.get(id) ?? newCall(messageId, name)
    this.#calls.set(id, call)
    call.providerExecuted = providerExecuted
    call.args = args
    if (providerExecuted) this.#tellInput(id, call, args)
  }
  /** Tells a call that was left out, and arguments that have changed since they were told. */
  show(id: string, args: unknown = this.#calls.get(id)?.args): void {
    const call = this.#calls.get(id)
    if (call && (call.state !== 'made' || JSON.stringify(args) !== JSON.stringify(call.args)))
      this.#tellInput(id, call, args)
  }
  #tellInput(id: string, call: ToldCall, args: unknown): void {
    call.state = 'made'
    call.args = args
    const executed = call.providerExecuted ? { providerExecuted: true } : {}
    this.#step.tell(
      { type: 'tool-input-available', toolCallId: id, toolName: call.name, input: args ?? {}, ...executed },
      { messageId: call.messageId, callId: id },
    )
  }

  /**
   * Asks for the approval of a call. The client sends a decision only when no other call of the step is undecided, so those are taken
   * back until they run.
   */
  askApproval(id: string, approvalId: string): void {
    const asked = this.#calls.get(id)
    if (!asked) return
    this.show(id)
    this.#takeBack((call, callId) => callId !== id && call.result === undefined && !call.approval)
    asked.approval = { id: approvalId }
    this.#approvals.set(approvalId, id)
    this.#step.tell(
      { type: 'tool-approval-request', toolCallId: id, approvalId },
      { messageId: asked.messageId, callId: id },
    )
  }
  /**
   * Asks the client for the result of a call of its own tool. Calls behind it that have not begun are taken back until they do: they may wait for
   * this result, and the client sends it only when no other call of the step is undecided.
   */
  askResult(id: string, requestId: string): void {
    const call = this.#calls.get(id)
    if (!call) return
    this.show(id)
    call.asked = requestId
    this.#hasAskedClient = true
    this.#takeBack(({ state, result, approval }) => state === 'writing' && result === undefined && !approval)
  }
  #takeBack(isGone: (call: ToldCall, callId: string) => boolean): void {
    const gone = new Set([...this.#calls].filter(([callId, call]) => isGone(call, callId)).map(([callId]) => callId))
    for (const callId of gone) (this.#calls.get(callId) as ToldCall).state = 'left'
    this.#step.remove(({ callId }) => callId !== undefined && gone.has(callId))
  }
  /** True where the client's results are all that is missing: every other call of their reply has its own, or has not begun. */
  waitsForClient(isOpen: (requestId: string) => boolean): boolean {
    if (!this.#hasAskedClient) return false
    const calls = [...this.#calls.values()]
    const waiting = calls.find(({ asked, result }) => result === undefined && asked !== undefined && isOpen(asked))
    const isSettled = ({ result, asked, providerExecuted, state }: ToldCall) =>
      result !== undefined || asked !== undefined || providerExecuted || state === 'left'
    return waiting !== undefined && calls.every(call => call.messageId !== waiting.messageId || isSettled(call))
  }
  /** False for a request that is no approval of a call told here. */
  decide(approvalId: string, approved: boolean, reason: string | undefined): boolean {
    const callId = this.#approvals.get(approvalId) ?? ''
    const call = this.#calls.get(callId)
    if (!call) return false
    call.approval = { id: approvalId, approved }
    this.#step.tell(
      { type: 'tool-approval-response', approvalId, approved, ...(reason ? { reason } : {}) },
      { messageId: call.messageId, callId },
    )
    return true
  }

  settle(id: string, { status, value }: ToolResult): void {
    const call = this.#calls.get(id)
    const result = JSON.stringify([status, value])
    if (!call || call.result === result) return
    this.show(id)
    call.result = result
    const owner = { messageId: call.messageId, callId: id }
    const executed = call.providerExecuted ? { providerExecuted: true } : {}
    if (status === 'ok')
      this.#step.tell({ type: 'tool-output-available', toolCallId: id, output: value ?? null, ...executed }, owner)
    else if (status === 'denied' && call.approval?.approved === false)
      this.#step.tell({ type: 'tool-output-denied', toolCallId: id }, owner)
    else this.#step.tell({ type: 'tool-output-error', toolCallId: id, errorText: errorText(status, value) }, owner)
  }
}

const newCall = (messageId: string, name: string): ToldCall => ({
  messageId,
  name,
  args: undefined,
  written: '',
  state: 'writing',
  providerExecuted: false,
})

/** The words for a call that has no result of its tool. */
export const errorText = (status: string, value: unknown): string =>
  typeof value === 'string' && value ? value : value === undefined ? status : JSON.stringify(value)
