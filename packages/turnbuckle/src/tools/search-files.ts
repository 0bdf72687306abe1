import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { flag, object, optional, text } from './arguments.ts'
import { stripControls } from './control.ts'
import { readText } from './read-text.ts'
import { findRipgrep, ripgrep } from './ripgrep.ts'
import { scan } from './scan.ts'
import { walk } from './walk.ts'
import type { FileOptions, Workspace } from './workspace.ts'

const input = object({
  pattern: text('A regular expression, or plain text with literal: true.'),
  path: optional(text('The file or folder, relative to the workspace.')),
  glob: optional(text('Only files like this: *.ts, src/**/*.test.ts.')),
  literal: optional(flag('Takes the pattern as plain text.')),
  ignoreCase: optional(flag('Upper and lower case are the same.')),
})

const most = 200
/** Bytes of a file that is searched. */
const largest = 50_000_000

/** Uses ripgrep where it is installed. Both ways leave out .git and node_modules, follow no links and skip what is no text. */
export const searchFiles = (space: Workspace, options: FileOptions): Tool => {
  const installed = options.ripgrep === undefined ? findRipgrep() : options.ripgrep || undefined
  return tool({
    name: 'search_files',
    description: 'Finds lines in files. Gives file:line: text.',
    input,
    idempotent: true,
    readOnly: true,
    timeout: 60_000,
    async run({ path = '.', ...search }, { signal }) {
      const { real: where, folder } = await space.existing(path)
      const found = installed
        ? ripgrep(installed, await space.root(), where, search, signal)
        : scan(space, folder ? walk(space, where, signal) : [{ path: where, folder }], search, signal)
      const lines: string[] = []
      const textAt = reader(space)
      for await (const { path: file, line } of found) {
        const text = await textAt(file, line)
        if (text === undefined) continue
        if (lines.length === most) return [...lines, `[more than ${most}: narrow the search]`].join('\n')
        lines.push(stripControls(`${space.name(file)}:${line}: ${text.slice(0, 300)}`))
      }
      return lines.join('\n') || '[nothing]'
    },
  })
}

/** Reads the lines that were found: in the workspace, whatever the search has followed while somebody moved folders. */
function reader(space: Workspace): (file: string, line: number) => Promise<string | undefined> {
  let read: { readonly file: string; readonly lines: readonly string[] } | undefined
  return async (file, line) => {
    if (read?.file !== file) {
      const content = await readText(space, file, largest).catch(() => '')
      read = { file, lines: content.split(/\r?\n/) }
    }
    return read.lines[line - 1]
  }
}
