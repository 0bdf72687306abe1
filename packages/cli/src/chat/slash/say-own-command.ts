import { visibleValue } from '../../text/visible-value.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { isAllowed } from '../session/is-allowed.ts'
import { filledPrompt, type OwnCommand } from './own-commands.ts'

/** Says what a command's file says. A project's has to be trusted first, exactly as it is now. */
export function sayOwnCommand(session: ChatSession, command: OwnCommand, rest: string): void {
  const { item, name, prompt, claudeName } = command
  const { claudeHooks, loaded } = session.composed
  const { trust, root } = loaded
  const say = () => {
    if (claudeName !== undefined) claudeHooks?.sayCommand(session.conversation.id, claudeName)
    session.send(filledPrompt(command, rest))
  }
  if (!item || trust.has(root, item)) {
    say()
    return
  }
  const body = `${visibleValue(prompt)}\n\nTrust exactly this text of the project, and say it to the model?`
  session.ask({ kind: 'yes-no', title: `${name} is a command of this project`, body }, given => {
    if (!isAllowed(given)) return
    trust.add(root, [item])
    say()
  })
}
