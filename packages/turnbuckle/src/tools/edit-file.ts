import { TurnbuckleError } from '../core/base/errors.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { flag, object, optional, text } from './arguments.ts'
import { quoted } from './control.ts'
import { replaceFile } from './replace-file.ts'
import type { FileOptions, Workspace } from './workspace.ts'

const input = object({
  path: text('The file, relative to the workspace.'),
  old: text('The exact text to replace. It must occur once, unless `all` is true.'),
  new: text('What stands there instead.'),
  all: optional(flag('Replaces every occurrence.')),
})

export interface Edit {
  readonly path: string
  readonly old: string
  readonly new: string
  readonly all?: boolean | undefined
}

export const editFile = (space: Workspace, { maxBytes = 5_000_000 }: FileOptions): Tool =>
  tool({
    name: 'edit_file',
    description: 'Replaces an exact piece of text in a file. The result shows what changed.',
    input,
    sequential: true,
    run: edit => replaceFile(space, edit.path, maxBytes, before => applyEdit(edit, before)),
  })

/** The file's text after the edit. Throws, and says how to mend it, when the old text is not there exactly once. */
export function applyEdit({ path, old, new: fresh, all }: Edit, before: string | undefined): string {
  if (before === undefined)
    throw new TurnbuckleError('edit.missing', `${quoted(path)} does not exist. write_file makes a new file.`)
  if (old === '') throw new TurnbuckleError('edit.empty', 'The old text is empty. write_file writes a whole file.')
  // The text that read_file showed has plain line ends, also where the file has not.
  const ends = before.includes('\r\n') && !old.includes('\r') ? (text: string) => text.replace(/\n/g, '\r\n') : same
  const pieces = before.split(ends(old))
  if (pieces.length === 1)
    throw new TurnbuckleError(
      'edit.unmatched',
      `The old text is not in ${quoted(path)}. Read the file and copy it exactly.`,
    )
  if (pieces.length > 2 && !all)
    throw new TurnbuckleError(
      'edit.ambiguous',
      `The old text is in ${quoted(path)} ${pieces.length - 1} times. Give more of what stands around it, or all: true.`,
    )
  return pieces.join(ends(fresh))
}

const same = (text: string): string => text
