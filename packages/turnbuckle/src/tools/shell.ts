import { TurnbuckleError } from '../core/base/errors.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { count, object, optional, text } from './arguments.ts'
import type { BackgroundCommands } from './background-commands.ts'
import { quoted } from './control.ts'
import { commandEnvironment } from './environment.ts'
import { type Ended, runCommand } from './run-command.ts'
import { confineCommand, type SandboxOptions } from './sandbox/confine-command.ts'
import { findSandbox } from './sandbox/find-sandbox.ts'
import { hostList } from './sandbox/host-list.ts'
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
  /**
   * The system's sandbox, where there is one (`findSandbox()` tells): nothing outside the workspace is written, and no network reached
   * but `network`. On by default; `false` runs commands with all that your user can do.
   */
  readonly sandbox?: boolean | SandboxOptions
  /** Where a person may send a command while it runs (`background.send()`). The tool `command_output` reads what it writes then. */
  readonly background?: BackgroundCommands
}

const input = object({
  command: text('The command line.'),
  cwd: optional(text('The folder to run it in, relative to the workspace.')),
  timeout: optional(count('Milliseconds until it is ended.')),
})

/** Runs in the workspace, held there by the system's sandbox. Whether it may run is for `approval` and its rules to say. */
export const shell = (space: Workspace, options: ShellOptions): Tool => {
  const { timeout: longest = 120_000, maxOutput = 30_000, env, program = '/bin/sh', background: commands } = options
  const sandbox = readSandbox(options.sandbox ?? true)
  return tool({
    name: 'shell',
    description: `Runs a command line. Background processes end with it. Gives the output and the exit code.${sandbox ? ` Where the system has a sandbox, ${limitsOf(sandbox)}.` : ''}`,
    input,
    sequential: true,
    async run({ command, cwd = '.', timeout = longest }, { signal, emit }) {
      const limit = Math.min(timeout, longest)
      const { real, folder } = await space.existing(cwd)
      if (!folder) throw new TurnbuckleError('path.folder', `${quoted(cwd)} is not a folder.`)
      const plain = { program, args: ['-c', command], cwd: real, env: commandEnvironment(process.env, env) }
      const confined = sandbox && (await inSandbox({ ...plain, root: await space.root() }, sandbox))
      let ended: Ended | undefined
      try {
        ended = await runCommand({
          ...plain,
          ...confined,
          timeout: limit,
          maxOutput,
          signal,
          onOutput: text => emit({ type: 'tool.progress', text }),
          ...(commands ? { background: { commands, line: command } } : {}),
          onLateEnd: () => void confined?.release(),
        })
      } finally {
        if (ended?.background === undefined) await confined?.release()
      }
      return resultOf(ended, limit, sandbox && confined && limitsOf(sandbox))
    },
  })
}

const readSandbox = (given: boolean | SandboxOptions): SandboxOptions | undefined => {
  if (given === false) return undefined
  const options = given === true ? {} : given
  // A mistake in the list is told when the tool is made, not at the first command.
  hostList(options.network ?? [])
  return options
}

async function inSandbox(command: Parameters<typeof confineCommand>[1], options: SandboxOptions) {
  const found = options.system ?? (await findSandbox())
  if (found.kind !== 'none') return confineCommand(found, command, options)
  if (options.required)
    throw new TurnbuckleError(
      'sandbox.missing',
      `Commands run only in a sandbox here, and there is none: ${found.reason}.`,
    )
  options.onMissing?.(found.reason)
  return undefined
}

/** The limits of a sandbox, in words for the model. */
const limitsOf = ({ network = [], write = [] }: SandboxOptions): string => {
  const hosts = network.length ? `only these hosts are reached, by http: ${network.join(', ')}` : 'there is no network'
  return `only ${['the workspace', ...write].join(', ')} can be written, /tmp is empty and forgotten, ${hosts}`
}

/** Errors that a command gets from the sandbox. */
const refusals =
  /read-only file system|EROFS|operation not permitted|could not resolve|EAI_AGAIN|name resolution|unreachable|sandbox/i

function resultOf(ended: Ended, limit: number, sandbox: string | undefined): string {
  const { output, code, timedOut, endedBecause, background } = ended
  if (background !== undefined)
    return `${output}\n[a person sent it to the background, where it goes on as command ${background}: command_output reads what it writes]`
  if (timedOut)
    throw new TurnbuckleError('shell.timeout', `Ended after ${limit} ms. Output so far:\n${output}`, {
      kind: 'timeout',
    })
  if (endedBecause !== undefined) return `${output}\n[ended before it was done: ${endedBecause}]`
  if (code === 0) return output || '[no output]'
  const hint = sandbox && refusals.test(output) ? `\n[it ran in a sandbox: ${sandbox}]` : ''
  return `${output}\n[exit code ${code}]${hint}`
}
