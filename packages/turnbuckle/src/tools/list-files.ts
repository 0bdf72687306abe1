import { TurnbuckleError } from '../core/base/errors.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { count, object, optional, text } from './arguments.ts'
import { quoted, stripControls } from './control.ts'
import { askedGlob } from './glob-pattern.ts'
import { walk } from './walk.ts'
import type { Workspace } from './workspace.ts'

const input = object({
  path: optional(text('The folder, relative to the workspace; the workspace itself when absent.')),
  pattern: optional(text('Only files like this: *.ts, src/**/*.test.ts.')),
  depth: optional(count('How many levels of folders; all when absent.')),
})

const most = 1000

export const listFiles = (space: Workspace): Tool =>
  tool({
    name: 'list_files',
    description: 'Lists files and folders, without .git and node_modules.',
    input,
    idempotent: true,
    readOnly: true,
    async run({ path = '.', pattern, depth }, { signal }) {
      const { real, folder } = await space.existing(path)
      if (!folder) throw new TurnbuckleError('path.folder', `${quoted(path)} is not a folder.`)
      const wanted = filter(pattern)
      const names: string[] = []
      for await (const found of walk(space, real, signal, depth)) {
        const name = space.name(found.path)
        if (!wanted(name, found.folder)) continue
        if (names.length === most) return [...names, `[more than ${most}: use a pattern or a folder]`].join('\n')
        names.push(stripControls(found.folder ? `${name}/` : name))
      }
      return names.join('\n') || '[nothing]'
    },
  })

function filter(pattern: string | undefined): (name: string, folder: boolean) => boolean {
  const glob = pattern === undefined ? undefined : askedGlob(pattern)
  return (name, folder) => !glob || (!folder && glob.test(name))
}
