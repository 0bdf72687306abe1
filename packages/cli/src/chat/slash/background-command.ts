import { oneLine } from '../../text/one-line.ts'
import { sendToBackground } from '../background-commands.ts'
import type { SlashCommand } from './slash-command.ts'

/** `/background`: sends what runs there, or lists what is there; with a number what that command has written. */
export const backgroundCommand: SlashCommand = {
  name: '/background',
  usage: '[end] [NUMBER]',
  does: 'sends what runs there (Ctrl-B), or shows it',
  refusedWhileRunning: 'never',
  run(session, rest) {
    const { all } = session.composed.background
    const [, ends, id = ''] = /^(end\s+)?(\S*)$/.exec(rest.trim()) ?? []
    const found = all.find(one => one.id === id)
    if (id && !found) session.say(`There is no command ${oneLine(id, 20)} in the background.`, 'warn')
    else if (found && ends) found.end()
    else if (found) session.say(`$ ${found.command}\n${found.output()}`.trimEnd())
    else if (!sendToBackground(session))
      session.say(all.map(lineOf).join('\n') || 'There is no command in the background.')
  },
}

const lineOf = ({ id, command, code }: { readonly id: string; readonly command: string; readonly code: unknown }) =>
  `${id}  ${code === undefined ? '● runs' : `○ exit code ${String(code)}`}  $ ${oneLine(command, 200)}`
