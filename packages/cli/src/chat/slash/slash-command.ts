import type { ChatSession } from '../session/chat-session.ts'

/**
 * A row of the slash table. `/help`, completion and the hint under the input read nothing else, so every column has to
 * be filled.
 */
export interface SlashCommand {
  readonly name: `/${string}`
  /** Follows the name in `/help`; empty where the command takes nothing. */
  readonly usage: string
  readonly does: string
  /**
   * A command that would move the conversation under a running turn, here or in another process, is refused until the turn has ended. One
   * that leaves the conversation is refused only where the turn runs `here`.
   */
  readonly refusedWhileRunning: 'never' | 'here' | 'always' | 'with an argument'
  /** `rest` is the text after the name. An error that it throws is shown as a notice. */
  run(session: ChatSession, rest: string, table: readonly SlashCommand[]): void | Promise<void>
}
