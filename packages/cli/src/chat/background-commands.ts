import type { BackgroundCommand } from 'turnbuckle/tools'
import { oneLine } from '../text/one-line.ts'
import type { ChatSession } from './session/chat-session.ts'

const lineOf = ({ command }: BackgroundCommand): string => `$ ${oneLine(command, 200)}`

/** Ctrl-B: the commands that the turn waits for go on beside it. False where there are none. */
export function sendToBackground(session: ChatSession): boolean {
  const sent = session.composed.background.send()
  for (const one of sent)
    session.say(`${lineOf(one)}\ngoes on in the background. /background ${one.id} shows what it writes.`)
  countCommands(session)
  return sent.length > 0
}

/** Says when a command in the background has ended, to the model with the next message. */
export function followBackground(session: ChatSession): void {
  session.composed.background.onEnd = one => {
    const text = `${lineOf(one)}\nhas ended in the background: exit code ${one.code}. /background ${one.id} shows what it wrote.`
    session.say(text)
    session.tellLater(
      `Command ${one.id} in the background has ended with exit code ${one.code}: command_output reads it.`,
    )
    countCommands(session)
  }
}

function countCommands(session: ChatSession): void {
  session.set({ background: session.composed.background.all.filter(({ code }) => code === undefined).length })
}
