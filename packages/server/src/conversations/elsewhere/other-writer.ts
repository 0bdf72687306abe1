import type { CommandAnswer, SharedTurns, TurnCommand } from 'turnbuckle/stores'
import type { AskedTurn, StartedTurn, TurnAct } from '../turns/asked-turn.ts'

interface AskableLog {
  /** True where a living process works on a turn, and this one does not. */
  readonly isAskable: boolean
  mayRunElsewhere(turnId: string): boolean
  readOthers(seq: number): Promise<void>
}

/** The other process that works on a conversation's turns: it is the log's writer, and is asked for what is to be written. */
export class OtherWriter {
  readonly #id: string
  readonly #log: AskableLog
  readonly #shared: SharedTurns

  constructor(id: string, log: AskableLog, shared: SharedTurns) {
    this.#id = id
    this.#log = log
    this.#shared = shared
  }

  /** Gives `undefined` where no other process works on a turn, or it does not answer: then this one does it. Rejects with its refusal. */
  async ask(command: TurnCommand): Promise<CommandAnswer> {
    return this.#log.isAskable ? this.#shared.ask(this.#id, command) : undefined
  }
  /** Has it start a turn beside its own. */
  async start({ input, by, tag }: AskedTurn): Promise<StartedTurn | undefined> {
    const answer = await this.ask({ type: 'own.start', input, by, tag })
    if (!answer) return undefined
    const started = answer.value as StartedTurn
    await this.#log.readOthers(started.seq)
    return started
  }
  /** Has it interrupt its turn, or interject. False where none that works on the turn has answered. */
  async act(turnId: string, act: TurnAct): Promise<boolean> {
    return this.#log.mayRunElsewhere(turnId) && (await this.ask({ ...act, turnId })) !== undefined
  }
}

interface ObeyingConversation {
  startHere(turn: AskedTurn): Promise<StartedTurn>
  moveHere(messageId: string | null): Promise<void>
}

/** Obeys a command of another process whose effect goes beyond a turn's handle; `undefined` for all others. */
export function obeyCommand(
  conversation: ObeyingConversation | undefined,
  command: TurnCommand,
): Promise<CommandAnswer> | undefined {
  if (!conversation) return undefined
  if (command.type === 'moveHead') return conversation.moveHere(command.to).then(() => ({ value: null }))
  if (command.type !== 'own.start') return undefined
  // Only what a turn is asked for with: another process may write more into its command.
  const { input, by, tag } = command as unknown as AskedTurn
  return conversation.startHere({ input, by, tag }).then(value => ({ value }))
}
