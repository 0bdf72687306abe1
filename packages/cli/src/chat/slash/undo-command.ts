import type { WrittenInTurn } from '../../compose/written-turns.ts'
import { oneLine } from '../../text/one-line.ts'
import { ownWords } from '../../text/own-words.ts'
import { openPicker, type PickerItem } from '../menu/picker.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { isAllowed } from '../session/is-allowed.ts'
import { isAskedAlready } from './asked-already.ts'
import { commandLines, type FilesBack, type FilesPut, filesBackLines, putFilesBack } from './files-back.ts'
import type { SlashCommand } from './slash-command.ts'

/** `/undo`: files as they were before a turn in which file tools wrote something. Where several did, the person chooses how far back. */
export const undoCommand: SlashCommand = {
  name: '/undo',
  usage: '[TURNS]',
  does: 'takes back what file tools wrote, as far as you choose',
  refusedWhileRunning: 'always',
  async run(session, rest) {
    const count = Number(rest || 1)
    if (!Number.isInteger(count) || count < 1) return session.say('/undo, or /undo 3 for three turns at once', 'warn')
    const turns = await session.composed.fileVersions.writingTurns(session.conversation.id)
    if (isAskedAlready(session)) return
    if (rest || turns.length < 2) return askToUndo(session, Math.max(1, Math.min(count, turns.length)))
    const items = turns.map((turn, place) => turnItem(session, turn, place + 1))
    const take = (chosen: string) => {
      askToUndo(session, Number(chosen)).catch((error: Error) => session.say(error.message, 'warn'))
    }
    session.set({ picker: openPicker('Files as they were before', items, take) })
  },
}

/** A turn by what the person said, with the files that it wrote. */
function turnItem({ conversation }: ChatSession, { turnId, files }: WrittenInTurn, count: number): PickerItem {
  const said = conversation.tree.find(node => node.turnId === turnId && node.message.role === 'user')
  const paths = oneLine(files.map(({ path }) => path).join(', '), 40)
  return { id: String(count), label: (said && ownWords(said.message)) || 'a turn', detail: paths }
}

async function askToUndo(session: ChatSession, count: number): Promise<void> {
  const { id } = session.conversation
  const written = await session.composed.fileVersions.writtenSince(id, count)
  if (!written.files.length) {
    const lines = ['No file tool wrote anything that is left to undo.', ...commandLines(written.commands)]
    return session.say(lines.join('\n'))
  }
  const filesBack: FilesBack = { conversation: id, ...written }
  const { put, lines } = filesBackLines(session, filesBack)
  if (!put) return session.say(['Nothing can be undone as it is now.', ...lines].join('\n'))
  if (isAskedAlready(session)) return
  const title = count === 1 ? 'Undo the last turn’s files?' : `Undo the files of the last ${count} turns?`
  session.ask({ kind: 'yes-no', title, body: lines.join('\n') }, given => {
    if (isAllowed(given)) void undoFiles(session, filesBack)
  })
}

/** Puts files back while the conversation stays where it is: the model is told with the next message. */
export async function undoFiles(session: ChatSession, filesBack: FilesBack): Promise<void> {
  try {
    tellUndone(session, filesBack, await putFilesBack(session, filesBack))
  } catch (error) {
    session.say((error as Error).message, 'warn')
  }
}

/** Says what was undone, to the model as well. */
export function tellUndone(session: ChatSession, filesBack: FilesBack, { paths, done, hasFailed }: FilesPut): void {
  if (paths && session.conversation.id === filesBack.conversation)
    session.tellLater(`I have undone your last changes to these files: ${paths}`)
  session.say(done, hasFailed ? 'warn' : 'plain')
}
