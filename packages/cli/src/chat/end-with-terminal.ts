import type { ConversationState } from 'turnbuckle/client'
import { endCommands } from 'turnbuckle/tools'
import type { ChatSession } from './session/chat-session.ts'

/** Milliseconds that the results of ended commands have to reach the log. Only a machine that stalls needs them. */
const limitMs = 5000
/** Exit code of a program that SIGHUP ends. */
const hungUp = 129

/**
 * When the terminal is gone, commands that run are ended and the log has their results, so that a turn that is gone on
 * with does not run them again. The turn itself is left as it is: `--continue` offers to go on with it.
 */
export function endWithTerminal(session: ChatSession): void {
  let isEnding = false
  const exit = () => process.exit(hungUp)
  const end = () => {
    if (isEnding) return
    isEnding = true
    setTimeout(exit, limitMs)
    session.endBeside()
    endCommands('the terminal was closed')
    commandsEnded(session)
      .then(() => session.conversation.kept())
      .then(exit, exit)
  }
  // A shell hands its own on: the second must not end the program before the log has the results.
  process.on('SIGHUP', end)
  process.stdin.once('end', end)
  // Writing to a terminal that is gone fails. Other listeners would end the program before the log has the results.
  for (const stream of [process.stdin, process.stdout]) stream.removeAllListeners('error').on('error', end)
}

/** Resolves when the chat has heard the results of all commands: a result is told when the log has it. */
export function commandsEnded(session: Pick<ChatSession, 'state' | 'subscribe'>): Promise<void> {
  return new Promise(resolve => {
    const look = () => {
      if (isCommandRunning(session.state.view)) return
      off()
      resolve()
    }
    const off = session.subscribe(look)
    look()
  })
}

/** True while a command runs, for this agent or a sub-agent. */
const isCommandRunning = ({ calls, agents }: ConversationState): boolean =>
  [...calls.values()].some(({ name, status }) => name === 'shell' && status === 'executing') ||
  [...agents.values()].some(({ state }) => isCommandRunning(state))
