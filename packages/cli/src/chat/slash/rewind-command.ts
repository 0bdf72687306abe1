import type { Node } from 'turnbuckle'
import { oneLine } from '../../text/one-line.ts'
import { ownWords } from '../../text/own-words.ts'
import { openPicker } from '../menu/picker.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { goBack } from './go-back.ts'
import type { SlashCommand } from './slash-command.ts'

/** `/rewind`: before a message of the person's own, with its files where they want. Of several the person chooses one. */
export const rewindCommand: SlashCommand = {
  name: '/rewind',
  usage: '[MESSAGES]',
  does: 'before a message you choose, files too (Esc Esc)',
  refusedWhileRunning: 'always',
  async run(session, rest) {
    const count = Number(rest || 1)
    if (!Number.isInteger(count) || count < 1) return session.say('/rewind, or /rewind 3 for three messages', 'warn')
    const own = ownMessages(session)
    if (!own.length) return session.say('Nothing was said yet.')
    const node = own[count - 1]
    if (!node) return session.say(`There are only ${own.length} messages of yours.`, 'warn')
    if (rest || own.length === 1) return goBack(session, node, { isAsked: true })
    await chooseMessage(session, own)
  },
}

/** The person's messages on the path, the last one first. */
export function ownMessages({ conversation }: ChatSession): readonly Node[] {
  const path = new Set(conversation.messages.flatMap(({ id, role }) => (role === 'user' ? [id] : [])))
  return conversation.tree.filter(({ id }) => path.has(id)).reverse()
}

async function chooseMessage(session: ChatSession, own: readonly Node[]): Promise<void> {
  const turns = await session.composed.fileVersions.writingTurns(session.conversation.id)
  const items = own.map(({ message, turnId }, place) => {
    const files = turns.find(turn => turn.turnId === turnId)?.files ?? []
    const detail = oneLine(files.map(({ path }) => path).join(', '), 40)
    return { id: String(place + 1), label: ownWords(message), detail }
  })
  const take = (chosen: string) => {
    const node = own[Number(chosen) - 1]
    if (node) goBack(session, node).catch((error: Error) => session.say(error.message, 'warn'))
  }
  session.set({ picker: openPicker('Back to before', items, take) })
}
