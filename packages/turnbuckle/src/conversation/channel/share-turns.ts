import type { Conversation } from '../../core/types/conversation.ts'
import type { Turn } from '../../core/types/turn.ts'
import { CarriedTurns, type OwnCommands } from './carried-turns.ts'
import type { Channel } from './channel.ts'
import { RemoteTurns } from './remote-turns.ts'
import type { CommandAnswer, LiveNews, TurnCommand } from './turn-messages.ts'

/** The turns of this process for the others on a store, and theirs for this one. */
export interface SharedTurns {
  /**
   * Until the turn ends or is parked, other processes on the store may follow it live, interrupt it, interject and answer. `conversation`: a
   * handle on its conversation. To be called when the turn was sent or resumed, before anything else is awaited.
   */
  carry(conversation: Conversation, turn: Turn): void
  /**
   * Tells what turns of other processes in a conversation tell without a number: deltas, sub-agents at work; first one `message.text` of
   * each reply that grows. Returns how to stop.
   */
  follow(conversation: string, hear: (news: LiveNews) => void): () => void
  /** Asks to be told once more of all that grows. */
  again(conversation: string): void
  /**
   * Asks the process that works on a conversation's turns. Rejects with its refusal; gives `undefined` where none has answered for two
   * seconds, or there is no channel.
   */
  ask(conversation: string, command: TurnCommand): Promise<CommandAnswer>
  /** Listens no more. The turns go on. */
  close(): void
}

/** The options of `shareTurns`. */
export interface ShareTurnsOptions {
  /** Asked before the command is obeyed: may obey it another way, or one that only your programs know. */
  readonly onCommand?: OwnCommands
}

/**
 * Joins the processes that share a store. One that runs turns, with an HTTP server or without, says so for each:
 *
 * ```ts
 * const shared = shareTurns(store)
 * const turn = agent.resume(id)
 * if (turn) shared.carry(agent.conversation(id), turn)
 * ```
 *
 * Where the store has no channel it does nothing.
 */
export function shareTurns(
  { channel }: { readonly channel?: Channel | undefined },
  { onCommand = () => undefined }: ShareTurnsOptions = {},
): SharedTurns {
  if (!channel) return alone
  const own = `process/${crypto.randomUUID()}`
  const carried = new CarriedTurns(channel, own, onCommand)
  const remote = new RemoteTurns(channel, own)
  return {
    carry: (conversation, turn) => carried.carry(conversation, turn),
    follow: (conversation, hear) => remote.follow(conversation, hear),
    again: conversation => remote.again(conversation),
    ask: (conversation, command) => remote.ask(conversation, command),
    close() {
      carried.close()
      remote.close()
    },
  }
}

const alone: SharedTurns = {
  carry() {},
  follow: () => () => {},
  again() {},
  ask: () => Promise.resolve(undefined),
  close() {},
}
