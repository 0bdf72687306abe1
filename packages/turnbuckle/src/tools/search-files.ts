import { type Tool, tool } from '../core/tool.ts'
import { flag, object, optional, text } from './arguments.ts'
import { stripControls } from './control.ts'
import { findRipgrep, ripgrep } from './ripgrep.ts'
import { scan } from './scan.ts'
import type { FileOptions, Workspace } from './workspace.ts'

const input = object({
  pattern: text('A regular expression, or plain text with literal: true.'),
  path: optional(text('The file or folder, relative to the workspace.')),
  glob: optional(text('Only files like this: *.ts, src/**/*.test.ts.')),
  literal: optional(flag('Takes the pattern as plain text.')),
  ignoreCase: optional(flag('Upper and lower case are the same.')),
})

const most = 200

/** Uses ripgrep where it is installed. Both ways leave out .git and node_modules, follow no links and skip what is no text. */
export const searchFiles = (space: Workspace, options: FileOptions): Tool => {
  const installed = options.ripgrep === undefined ? findRipgrep() : options.ripgrep || undefined
  return tool({
    name: 'search_files',
    description: 'Finds lines in files. Gives file:line: text.',
    input,
    idempotent: true,
    timeout: 60_000,
    async run({ path = '.', ...search }, { signal }) {
      const where = await space.locate(path)
      const found = installed
        ? ripgrep(installed, await space.root(), where, search, signal)
        : scan(space, where, search, signal)
      const lines: string[] = []
      for await (const { path: file, line, text } of found) {
        if (lines.length === most) return [...lines, `[more than ${most}: narrow the search]`].join('\n')
        lines.push(stripControls(`${space.name(file)}:${line}: ${text.slice(0, 300)}`))
      }
      return lines.join('\n') || '[nothing]'
    },
  })
}
