import { endCommands } from 'turnbuckle/tools'
import type { ChatSession } from './session/chat-session.ts'

/** Milliseconds for the results of commands that were ended to reach the log. */
const recordMs = 150
/** Exit code of a program that SIGHUP ends. */
const hungUp = 129

/**
 * When the terminal is gone, commands that run are ended and the log has their results, so that a turn that is gone on
 * with does not run them again. The turn itself is left as it is: `--continue` offers to go on with it.
 */
export function endWithTerminal(session: ChatSession): void {
  let isEnding = false
  const end = () => {
    if (isEnding) return
    isEnding = true
    for (const stop of session.ownCommands) stop()
    endCommands('the terminal was closed')
    setTimeout(() => {
      const exit = () => process.exit(hungUp)
      setTimeout(exit, 1000)
      session.conversation.kept().then(exit, exit)
    }, recordMs)
  }
  process.once('SIGHUP', end)
  process.stdin.once('end', end)
  // Writing to a terminal that is gone fails. Other listeners would end the program before the log has the results.
  for (const stream of [process.stdin, process.stdout]) stream.removeAllListeners('error').on('error', end)
}
