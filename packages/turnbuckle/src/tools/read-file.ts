import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { count, object, optional, text } from './arguments.ts'
import { stripControls } from './control.ts'
import { readText } from './read-text.ts'
import type { FileOptions, Workspace } from './workspace.ts'

const input = object({
  path: text('The file, relative to the workspace.'),
  from: optional(count('The first line to read, from 1.')),
  lines: optional(count('How many lines to read; 2000 when absent.')),
})

export const readFile = (space: Workspace, { maxBytes = 5_000_000 }: FileOptions): Tool =>
  tool({
    name: 'read_file',
    description: 'Reads a text file. Says where it goes on when it was cut.',
    input,
    idempotent: true,
    readOnly: true,
    async run({ path, from = 1, lines = 2000 }) {
      const all = stripControls(await readText(space, path, maxBytes)).split('\n')
      if (from > all.length) return `[it has ${all.length} lines]`
      const shown = all.slice(from - 1, from - 1 + lines).join('\n')
      const next = from + lines
      return next > all.length ? shown || '[empty]' : `${shown}\n[${all.length} lines; go on with from: ${next}]`
    },
  })
