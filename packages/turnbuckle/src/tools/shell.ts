import { TurnbuckleError } from '../core/base/errors.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { count, object, optional, text } from './arguments.ts'
import { quoted } from './control.ts'
import { commandEnvironment } from './environment.ts'
import { runCommand } from './run-command.ts'
import type { Workspace } from './workspace.ts'

/** The options of the tool `shell`. */
export interface ShellOptions {
  /** The longest a command may take, in milliseconds. Two minutes by default. */
  readonly timeout?: number
  /** Characters of output that are kept: the beginning and the end. 30,000 by default. */
  readonly maxOutput?: number
  /** Added to the environment, which has no secrets by itself. */
  readonly env?: Readonly<Record<string, string>>
  /** The program that reads the command line. `/bin/sh` by default. */
  readonly program?: string
}

const input = object({
  command: text('The command line.'),
  cwd: optional(text('The folder to run it in, relative to the workspace.')),
  timeout: optional(count('Milliseconds until it is ended.')),
})

/** Runs in the workspace but is not held there: what it may do is for `approval` and its rules to say. */
export const shell = (space: Workspace, options: ShellOptions): Tool => {
  const { timeout: longest = 120_000, maxOutput = 30_000, env, program = '/bin/sh' } = options
  return tool({
    name: 'shell',
    description: 'Runs a command line. Background processes end with it. Gives the output and the exit code.',
    input,
    sequential: true,
    async run({ command, cwd = '.', timeout = longest }, { signal, emit }) {
      const limit = Math.min(timeout, longest)
      const { real, folder } = await space.existing(cwd)
      if (!folder) throw new TurnbuckleError('path.folder', `${quoted(cwd)} is not a folder.`)
      const { output, code, timedOut, endedBecause } = await runCommand({
        program,
        args: ['-c', command],
        cwd: real,
        env: commandEnvironment(process.env, env),
        timeout: limit,
        maxOutput,
        signal,
        onOutput: text => emit({ type: 'tool.progress', text }),
      })
      if (timedOut)
        throw new TurnbuckleError('shell.timeout', `Ended after ${limit} ms. Output so far:\n${output}`, {
          kind: 'timeout',
        })
      if (endedBecause !== undefined) return `${output}\n[ended before it was done: ${endedBecause}]`
      return code === 0 ? output || '[no output]' : `${output}\n[exit code ${code}]`
    },
  })
}
