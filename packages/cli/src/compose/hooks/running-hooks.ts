import type { OpenSpan } from 'turnbuckle'

/** Middleware whose hooks run at this moment. */
export class RunningHooks {
  readonly #open = new Map<string, string>()

  begin({ kind, by, turnId, id }: OpenSpan): void {
    if (kind === 'hook' && by !== undefined) this.#open.set(`${turnId} ${id}`, by)
  }
  end({ turnId, id }: OpenSpan): void {
    this.#open.delete(`${turnId} ${id}`)
  }

  /** Names of middleware in the order their hooks began, each once. */
  get names(): readonly string[] {
    return [...new Set(this.#open.values())]
  }
}
