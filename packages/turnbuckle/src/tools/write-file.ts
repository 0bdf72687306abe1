import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { object, text } from './arguments.ts'
import { replaceFile } from './replace-file.ts'
import type { FileOptions, Workspace } from './workspace.ts'

const input = object({
  path: text('The file, relative to the workspace. Missing folders are made.'),
  content: text('All of its content.'),
})

export const writeFile = (space: Workspace, { maxBytes = 5_000_000 }: FileOptions): Tool =>
  tool({
    name: 'write_file',
    description: 'Writes a file, replacing what was there. The result shows what changed.',
    input,
    sequential: true,
    run: ({ path, content }) => replaceFile(space, path, maxBytes, () => content),
  })
