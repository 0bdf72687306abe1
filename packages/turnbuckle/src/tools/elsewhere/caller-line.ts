import { TurnbuckleError } from '../../core/base/errors.ts'
import { type CallerMessage, callerLeft } from './caller-messages.ts'

/** Takes a message to the process that works on the caller. Gives `undefined` where none answers; rejects with its refusal. */
export type TellCaller = (message: unknown) => Promise<{ readonly value: unknown } | undefined>

/** Milliseconds of tries without an answer after which the caller counts as gone. */
const patienceMs = 6000
const tryAgainMs = 200
/** Characters of a message that a channel takes. */
const longest = 1_500_000

/** The line from a sub-agent to its caller. Once that is gone, nothing that is sent is ever answered: the sub-agent is to be left to its log. */
export class CallerLine {
  /** Resolves when the caller is gone. */
  readonly lost: Promise<void>
  readonly #tell: TellCaller
  /** Names this try. */
  readonly #by: string
  #lose: () => void = () => {}
  #isLost = false
  /** When the first try after the last answer was not answered. */
  #silentSince: number | undefined

  constructor(tell: TellCaller, by: string) {
    this.#tell = tell
    this.#by = by
    this.lost = new Promise(resolve => {
      this.#lose = () => {
        this.#isLost = true
        resolve()
      }
    })
  }

  get isLost(): boolean {
    return this.#isLost
  }
  /** Nothing more is sent. */
  end(): void {
    this.#isLost = true
  }
  /** The caller has said that it waits no more. */
  hangUp(): void {
    this.#lose()
  }

  async send(message: CallerMessage): Promise<unknown> {
    if (JSON.stringify(message).length > longest)
      throw new TurnbuckleError('caller.unreachable', 'This is too long to be told to the caller in another process.')
    while (!this.#isLost) {
      const answer = await this.#try(message)
      if (answer) return answer.value
      this.#silentSince ??= performance.now()
      if (performance.now() - this.#silentSince > patienceMs) this.#lose()
      else await new Promise(resolve => setTimeout(resolve, tryAgainMs))
    }
    return new Promise(() => {})
  }
  async #try(message: CallerMessage): Promise<{ readonly value: unknown } | undefined> {
    try {
      const answer = await this.#tell({ ...message, by: this.#by })
      if (answer) this.#silentSince = undefined
      return answer
    } catch (error) {
      this.#silentSince = undefined
      if (!(error instanceof TurnbuckleError && error.code === callerLeft)) throw error
      this.#lose()
      return undefined
    }
  }
}
