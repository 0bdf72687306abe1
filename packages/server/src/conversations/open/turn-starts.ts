import { TurnbuckleError, type Use } from 'turnbuckle'
import type { OtherWriter } from '../elsewhere/other-writer.ts'
import type { AskedTurn, StartedTurn } from '../turns/asked-turn.ts'
import { IdempotentStarts, turnOfKey } from '../turns/idempotent-starts.ts'
import { type TurnInput, userMessage } from '../turns/user-message.ts'
import type { FollowedLog } from './followed-log.ts'
import type { HiddenMessages } from './hidden-messages.ts'
import type { OrderedTurns } from './ordered-turns.ts'

export interface TurnStartsOptions {
  readonly owner: string
  readonly hidden: HiddenMessages
  readonly otherWriter: OtherWriter
  /** Turns that are given to an engine, where there is one. */
  readonly ordered: OrderedTurns | undefined
}

export interface AskedTurnHere extends AskedTurn {
  /** Middleware of this turn alone. It is code, which neither an engine nor another process can be given. */
  readonly use?: readonly Use[] | undefined
}

/** Starts the turns of a conversation: in this process, in the one that writes to the log, or on an engine. */
export class TurnStarts {
  readonly #log: FollowedLog
  readonly #options: TurnStartsOptions
  readonly #keyed = new IdempotentStarts<StartedTurn>()

  constructor(log: FollowedLog, options: TurnStartsOptions) {
    this.#log = log
    this.#options = options
  }

  /** True while no start with a key is under way. */
  get isEmpty(): boolean {
    return this.#keyed.isEmpty
  }
  /**
   * Starts a turn at the head, or at another message, on a branch. Resolves when that is durable. The log has the key
   * from the same moment on: the same key and body find the same turn, also after a crash.
   */
  start(turn: AskedTurnHere, givenKey?: string): Promise<StartedTurn> {
    if (givenKey === undefined) return this.#start(turn)
    const { input, by } = turn
    const key = this.#keyOf(by, givenKey)
    return this.#keyed.start(
      { key, input, known: turnOfKey(this.#log.view.facts.turnTags, key) },
      async known => this.#started(known.turnId),
      tag => this.#start({ ...turn, tag }),
    )
  }
  /** Two people who talk here may choose one key. The owner's stays as it is given, but for one that is written as another person's. */
  #keyOf(by: string, key: string): string {
    return by === this.#options.owner && !key.startsWith('[') ? key : JSON.stringify([by, key])
  }
  /** A turn beside one of another process starts there: that one is the log's writer. */
  async #start(turn: AskedTurnHere): Promise<StartedTurn> {
    const { otherWriter, ordered } = this.#options
    const started = turn.use?.length || ordered ? undefined : await otherWriter.start(turn)
    return started ?? this.startHere(turn)
  }
  /** Starts a turn in this process, or where there is an engine on that. */
  async startHere(turn: AskedTurnHere): Promise<StartedTurn> {
    const { hidden, ordered } = this.#options
    const parentId = this.#parentOf(turn.input)
    if (parentId != null && parentId !== this.#log.head.id) hidden.checkShown(parentId)
    if (!ordered || turn.use?.length) return this.#runHere(turn, parentId)
    const { by, tag, input } = turn
    const message = messageOf(input)
    const { settings } = this.#log.view
    return this.#started(await ordered.order({ message, parentId, tag, client: { id: by, name: by }, settings }))
  }
  async #runHere({ input, by, tag, use }: AskedTurnHere, parentId: string | null | undefined): Promise<StartedTurn> {
    const handle = this.#log.head.handleAt(parentId)
    const message = messageOf(input)
    const options = { tag, use: use ?? [], client: { id: by, name: by } }
    const turn = message ? handle.send(message, options) : handle.continue(options)
    this.#log.adopt(turn, handle)
    const hasBegun = () => this.#log.view.turn(turn.id) !== undefined
    await this.#log.until(() => hasBegun() || turn.ended, turn.settled)
    if (!hasBegun()) throw (await turn.settled).error ?? this.#whyNotBegun()
    return this.#started(turn.id)
  }
  #whyNotBegun(): TurnbuckleError {
    return this.#log.lifecycle === 'deleted'
      ? new TurnbuckleError('conversation.deleted', 'The conversation was deleted.')
      : new TurnbuckleError('server.closing', 'The server is closing. Send it again.')
  }
  /** The message that a new turn begins behind: for another answer, the question of that answer. */
  #parentOf(input: TurnInput): string | null | undefined {
    if ('text' in input) return input.parentId
    return 'regenerate' in input ? this.#options.hidden.questionOf(input.regenerate).id : undefined
  }
  #started(turnId: string): StartedTurn {
    return { turnId, seq: this.#log.view.turn(turnId)?.seq ?? this.#log.seq }
  }
}

const messageOf = (input: TurnInput) => ('text' in input ? userMessage(input) : undefined)
