import { TurnbuckleError } from '../core/base/errors.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { object, text } from './arguments.ts'
import type { BackgroundCommands } from './background-commands.ts'
import { quoted } from './control.ts'

const input = object({ id: text('The number of the command.') })

/** Reads what commands in the background have written. */
export const commandOutput = (commands: BackgroundCommands): Tool =>
  tool({
    name: 'command_output',
    description:
      'Gives what a shell command in the background has written so far, and whether it still runs. A person sends commands there.',
    input,
    idempotent: true,
    readOnly: true,
    run({ id }) {
      const found = commands.all.find(one => one.id === id)
      if (!found) {
        const ids = commands.all.map(one => one.id).join(', ')
        throw new TurnbuckleError(
          'command.unknown',
          `There is no command ${quoted(id)} in the background. ${ids ? `There: ${ids}.` : 'None was sent there.'}`,
        )
      }
      const state = found.code === undefined ? 'it runs' : `it has ended, exit code ${found.code}`
      return `$ ${found.command}\n${found.output()}\n[${state}]`
    },
  })
