import { messageOf, TurnbuckleError } from '../../core/base/errors.ts'
import { announceCall } from '../../core/model/usage.ts'
import type { TurnState } from '../../core/types/turn-state.ts'
import type { AskAnswer, CallerMessage } from './caller-messages.ts'
import type { RelayedRequests } from './relayed-requests.ts'

/** Milliseconds after which a question is said to be open still: a message waits no longer for its answer. */
const stillOpenAfter = 1000

type Ask = Extract<CallerMessage, { type: 'ask' }>
interface Asked {
  readonly now: AskAnswer
  readonly opened: Promise<void>
  readonly answered: Promise<void>
  /** True once a message was told that it is open. */
  isTold: boolean
}

/** The questions of a sub-agent that another process works on, as its caller has them asked: at the topmost turn, here or further above. */
export class AskedElsewhere {
  readonly #caller: TurnState
  readonly #above: RelayedRequests | undefined
  readonly #asked = new Map<string, Asked>()

  constructor(caller: TurnState, above: RelayedRequests | undefined) {
    this.#caller = caller
    this.#above = above
  }

  /** A question is asked by the first message, which waits until it is open; those after it wait for the answer. */
  async ask(message: Ask): Promise<AskAnswer> {
    const asked = this.#asked.get(message.id) ?? this.#begin(message)
    this.#asked.set(message.id, asked)
    await this.#within(asked.isTold ? [asked.answered] : [asked.opened, asked.answered])
    asked.isTold ||= asked.now.state === 'open'
    return asked.now
  }
  #within(any: readonly Promise<void>[]): Promise<void> {
    return new Promise(resolve => {
      const cancel = this.#caller.conversation.clock.after(stillOpenAfter, resolve)
      void Promise.race(any).then(() => {
        cancel()
        resolve()
      })
    })
  }
  #begin(message: Ask): Asked {
    let now: AskAnswer = { state: 'asking' }
    let open = () => {}
    const opened = new Promise<void>(resolve => {
      open = () => {
        now = { state: 'open' }
        resolve()
      }
    })
    const answered = this.#ask(message, () => open()).then(answer => {
      now = answer
    })
    return {
      get now() {
        return now
      },
      opened,
      answered,
      isTold: false,
    }
  }
  #ask({ id, kind, payload, options }: Ask, onOpen: () => void): Promise<AskAnswer> {
    const { topmost } = this.#caller
    const asked = this.#above
      ? this.#above.relay(this.#caller, { id, kind, payload }, { ...options, onOpen })
      : topmost.conversation.requests.ask(this.#caller, id, kind, payload, { ...options, onOpen })
    topmost.people.noteAsked()
    if (topmost.spent.unbilled) announceCall(this.#caller)
    return asked.then(
      answer => ({ state: 'answered', answer }),
      (error: unknown) => ({
        state: 'failed',
        code: error instanceof TurnbuckleError ? error.code : 'request.expired',
        message: messageOf(error),
      }),
    )
  }
}
