import { stripControls } from './control.ts'
import { diff } from './diff.ts'
import { applyEdit, type Edit } from './edit-file.ts'
import { currentText } from './replace-file.ts'
import { workspace } from './workspace.ts'

/**
 * Shows what a call of `write_file` or `edit_file` would change, for the person who is asked: `approval({ preview:
 * workspacePreview({ root }) })`. Nothing for other calls, and for those that will fail anyway.
 */
export function workspacePreview({
  root,
  maxBytes = 5_000_000,
}: {
  readonly root: string
  readonly maxBytes?: number
}): (call: { readonly name: string; readonly args: unknown }) => Promise<{ readonly diff: string } | undefined> {
  const space = workspace(root)
  return async ({ name, args }) => {
    if (name !== 'write_file' && name !== 'edit_file') return undefined
    const given = args as Edit & { readonly content: string }
    try {
      const before = await currentText(space, given.path, maxBytes)
      const after = name === 'write_file' ? given.content : applyEdit(given, before)
      return { diff: stripControls(diff(stripControls(before ?? ''), stripControls(after))) }
    } catch {
      return undefined
    }
  }
}
