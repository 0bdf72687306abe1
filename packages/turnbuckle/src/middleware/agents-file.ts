import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { withOwnInstructions } from '../core/model/build-prompt.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The options of `agentsFile`. */
export interface AgentsFileOptions {
  /** Gives a file's text, or nothing where there is no such file. */
  readonly read: (path: string) => Promise<string | undefined> | string | undefined
  /** In the order they are shown, the most general first. `AGENTS.md` by default. */
  readonly paths?: readonly string[]
  /** Characters of each file; what is longer is cut, and says so. 40,000 by default. */
  readonly maxLength?: number
}

const shape = (): Shape<AgentsFileOptions> => ({
  read: is.needed(is.run),
  paths: is.list(is.text),
  maxLength: is.number(1),
})

/**
 * Adds the project's AGENTS.md to the agent's own instructions, read anew in each turn: a replay does not compare it.
 * Reading is behind a port, so it works wherever files come from. Not a guard, and fails open: without the file the turn goes on.
 *
 * ```ts
 * agentsFile({ read: path => readFile(path, 'utf8').catch(() => undefined) })
 * ```
 */
export function agentsFile(options: AgentsFileOptions): Middleware {
  checkOptions('agentsFile', options, shape)
  const { read, paths = ['AGENTS.md'], maxLength = 40_000 } = options
  const section = (path: string, text: string) =>
    `# ${path}\n\n${text.length <= maxLength ? text : `${text.slice(0, maxLength)}\n[cut: ${text.length} characters]`}`
  return middleware<{ readonly text: string | undefined }>({
    name: 'agents-file',
    description: 'Gives the model the instructions of the project’s AGENTS.md.',
    state: { text: undefined },
    onFailure: 'open',
    async beforeModel(ctx) {
      let { text } = ctx.state
      if (text === undefined) {
        const files = await Promise.all(paths.map(async path => ({ path, text: (await read(path))?.trim() })))
        text = files
          .map(file => (file.text ? section(file.path, file.text) : ''))
          .filter(Boolean)
          .join('\n\n')
        ctx.update(() => ({ text }))
      }
      if (text) ctx.prompt = withOwnInstructions(ctx.prompt, text)
    },
  })
}
