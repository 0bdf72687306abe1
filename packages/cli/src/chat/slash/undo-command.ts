import { isAllowed } from '../session/is-allowed.ts'
import type { SlashCommand } from './slash-command.ts'

/** `/undo`: files as they were before the last turn in which file tools wrote something; said again, before the turn before that. */
export const undoCommand: SlashCommand = {
  name: '/undo',
  usage: '',
  does: 'takes back what file tools wrote, turn by turn',
  refusedWhileRunning: 'always',
  async run(session) {
    const { fileVersions } = session.composed
    const { id } = session.conversation
    const written = await fileVersions.lastTurn(id)
    const commands = written?.commands ?? []
    const cannot = commands.length
      ? ['What these commands did cannot be undone:', ...commands.map(command => `  $ ${command}`)]
      : []
    if (!written?.files.length) {
      session.say(['No file tool wrote anything in the last turn.', ...cannot].join('\n'))
      return
    }
    const { back, changed } = await fileVersions.compare(written)
    const body = [
      ...back.map(({ path, before }) => (before === null ? `delete ${path} (it was new)` : `restore ${path}`)),
      ...changed.map(({ path }) => `leave ${path}: it was changed since`),
      ...cannot,
    ]
    session.ask({ kind: 'yes-no', title: 'Undo the last turn’s files?', body: body.join('\n') }, given => {
      if (!isAllowed(given)) return
      fileVersions.restore(id, back).then(
        () => {
          const paths = back.map(({ path }) => path).join(', ')
          session.tellLater(`I have undone your last changes to these files: ${paths}`)
          session.say(`Undone: ${paths || 'nothing'}`)
        },
        (error: unknown) => session.say((error as Error).message, 'warn'),
      )
    })
  },
}
