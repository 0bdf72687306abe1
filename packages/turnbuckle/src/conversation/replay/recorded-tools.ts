import { canonicalJson } from '../../core/base/canonical-json.ts'
import type { ToolResult } from '../../core/base/message.ts'
import type { Decision } from '../../core/directives/directives.ts'
import type { Event } from '../../core/events/events.ts'

/** A recorded result. `ran`: false for a call that was answered without being run. `args`: canonical JSON of what it ran with. */
export interface RecordedResult extends ToolResult {
  readonly ran: boolean
  readonly args: string
  readonly at: number
}

/** The calls of a recorded turn, and the results that the record has of them, which are those after all hooks. */
export class RecordedTools {
  readonly #results = new Map<string, RecordedResult>()
  readonly #decisions: readonly Decision[]

  constructor(events: readonly Event[], decisions: readonly Decision[]) {
    this.#decisions = decisions
    const began = new Map<string, string>()
    for (const event of events) {
      if (event.type === 'tool.executing') began.set(event.callId, canonicalJson(event.args))
      if (event.type !== 'tool.completed' && event.type !== 'tool.failed') continue
      const args = began.get(event.callId)
      const { status, result: value, at } = event
      this.#results.set(event.callId, { status, value, ran: args !== undefined, args: args ?? '', at })
    }
  }

  result(callId: string): RecordedResult | undefined {
    return this.#results.get(callId)
  }
  /** True for a call that failed without being run or decided about: there was no such tool, or its arguments did not fit. */
  isRefused(callId: string): boolean {
    const recorded = this.#results.get(callId)
    return recorded?.status === 'error' && !recorded.ran && !this.#decisions.some(made => made.callId === callId)
  }

  /**
   * The recorded result where it is not what a tool can give: it has another status, or a hook of `inUse` had replaced it and would
   * do so a second time.
   */
  kept(callId: string, inUse: ReadonlySet<string>): ToolResult | undefined {
    const recorded = this.#results.get(callId)
    if (!recorded?.ran) return undefined
    const isPlain = recorded.status === 'ok' || recorded.status === 'error'
    const isReplaced = this.#decisions.some(made => made.callId === callId && isReplacedBy(made, 'afterTool', inUse))
    return isPlain && !isReplaced ? undefined : { status: recorded.status, value: recorded.value }
  }
}

/** True for a `replace` at that hook by middleware that is in use now. */
export const isReplacedBy = ({ directive, at, by }: Decision, hook: string, inUse: ReadonlySet<string>): boolean =>
  directive === 'replace' && at === hook && inUse.has(by)
