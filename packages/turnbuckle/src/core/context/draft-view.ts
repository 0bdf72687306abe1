import { deepFreeze } from '../base/deep-freeze.ts'
import { TurnbuckleError } from '../base/errors.ts'
import type { Call, Message, ToolResult } from '../base/message.ts'
import type { ResponseFacts, Usage } from '../base/ports.ts'
import { seal } from '../history/tree.ts'
import type { Draft } from '../hooks/draft.ts'
import type { StepDraft } from '../state/step-draft.ts'

/** The call that changes what a field of the draft shows. */
const instead: Readonly<Record<Exclude<keyof Draft, 'finishReason'>, string>> = {
  userMessage: 'assign ctx.message in beforeInput',
  text: 'return other chunks from onChunk',
  reply: 'return replace(reply) in afterModel',
  calls: 'return skip(calls) in beforeDetect, or assign ctx.calls in beforeTools',
  results: 'return replace(result) in afterTool or afterTools',
  errors: 'return fail(error)',
  usage: 'it is what the model has reported',
  response: 'it is what the model has reported',
  startedAt: 'it is when the step began',
}

/** The data in flight as a hook sees it. Assigning a field that is only read throws, and names the call that would change it. */
export class DraftView implements Draft {
  readonly #draft: StepDraft

  constructor(draft: StepDraft) {
    this.#draft = draft
  }

  get userMessage(): Message | undefined {
    const { userMessage } = this.#draft
    return userMessage && seal(userMessage)
  }
  get text(): string {
    return this.#draft.text
  }
  get reply(): Message | undefined {
    const { reply } = this.#draft
    return reply && seal(reply)
  }
  get calls(): readonly Call[] {
    return deepFreeze(this.#draft.calls)
  }
  get results(): readonly ToolResult[] {
    return Object.freeze([...this.#draft.results])
  }
  get errors(): readonly unknown[] {
    return Object.freeze([...this.#draft.errors])
  }
  get finishReason(): string | undefined {
    return this.#draft.finishReason
  }
  set finishReason(reason: string | undefined) {
    this.#draft.finishReason = reason
  }
  get usage(): Usage | undefined {
    const { usage } = this.#draft
    return usage && Object.freeze({ ...usage })
  }
  get response(): ResponseFacts | undefined {
    const { response } = this.#draft
    return response && Object.freeze({ ...response })
  }
  get startedAt(): number {
    return this.#draft.startedAt
  }
}

for (const [field, fix] of Object.entries(instead)) {
  const { get } = Object.getOwnPropertyDescriptor(DraftView.prototype, field) ?? {}
  const set = (): never => {
    throw new TurnbuckleError('draft.readonly', `ctx.draft.${field} is only read: ${fix}.`)
  }
  Object.defineProperty(DraftView.prototype, field, { ...(get ? { get } : {}), set, configurable: true })
}
