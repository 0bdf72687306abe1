import type { FileVersion, WrittenInTurn } from '../../compose/file-versions.ts'
import { oneLine } from '../../text/one-line.ts'
import { ownWords } from '../../text/own-words.ts'
import { openPicker, type PickerItem } from '../menu/picker.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { isAllowed } from '../session/is-allowed.ts'
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
  const { fileVersions } = session.composed
  const { id } = session.conversation
  const { files, commands } = await fileVersions.writtenSince(id, count)
  const cannot = commands.length
    ? ['What these commands did cannot be undone:', ...commands.map(command => `  $ ${command}`)]
    : []
  if (!files.length) return session.say(['No file tool wrote anything that is left to undo.', ...cannot].join('\n'))
  const { back, changed } = fileVersions.compare({ files })
  const body = [
    ...back.map(undoLine),
    ...changed.map(({ path }) => `leave ${path}: it was changed since`),
    ...cannot,
  ].join('\n')
  const title = count === 1 ? 'Undo the last turn’s files?' : `Undo the files of the last ${count} turns?`
  session.ask({ kind: 'yes-no', title, body }, given => {
    if (isAllowed(given)) void undo(session, { conversation: id, back, count })
  })
}

const undoLine = ({ path, before, wasChangedBetween }: FileVersion): string => {
  const what = before === null ? `delete ${path} (it was new)` : `restore ${path}`
  return wasChangedBetween ? `${what}, also what somebody else changed in it between` : what
}

interface Undone {
  /** The conversation that was asked about: another may be open at the yes. */
  readonly conversation: string
  readonly back: readonly FileVersion[]
  readonly count: number
}

async function undo(session: ChatSession, { conversation, back, count }: Undone): Promise<void> {
  try {
    await session.composed.fileVersions.restore(conversation, back, count)
    const paths = back.map(({ path }) => path).join(', ')
    if (session.conversation.id === conversation)
      session.tellLater(`I have undone your last changes to these files: ${paths}`)
    session.say(`Undone: ${paths || 'nothing'}`)
  } catch (error) {
    session.say((error as Error).message, 'warn')
  }
}
