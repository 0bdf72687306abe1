import type { Tool } from '../core/types/tool.ts'
import { commandOutput } from './command-output.ts'
import { editFile } from './edit-file.ts'
import { type FetchOptions, fetchUrl } from './fetch-url.ts'
import { listFiles } from './list-files.ts'
import { readFile } from './read-file.ts'
import { searchFiles } from './search-files.ts'
import { type ShellOptions, shell } from './shell.ts'
import { type FileOptions, workspace } from './workspace.ts'
import { writeFile } from './write-file.ts'

/** The options of `workspaceTools`. */
export interface WorkspaceOptions {
  /** The folder that file tools are confined to, links followed. */
  readonly root: string
  /** On by default. `'read'` leaves out writing. */
  readonly files?: boolean | 'read' | FileOptions
  /** Off by default. */
  readonly shell?: boolean | ShellOptions
  /** Off by default. */
  readonly fetch?: boolean | FetchOptions
}

/**
 * Tools for a folder: `read_file`, `list_files`, `search_files`, `write_file`, `edit_file`; `shell` and `fetch_url` where
 * they are asked for, with `command_output` where commands may be sent to the background. They do what they are told: put `approval()` before them.
 *
 * ```ts
 * createAgent({ model, tools: workspaceTools({ root: '.', shell: true }), use: [approval()] })
 * ```
 */
export function workspaceTools(options: WorkspaceOptions): Tool[] {
  const { root, files = true, shell: command = false, fetch = false } = options
  const space = workspace(root)
  const own = typeof files === 'object' ? files : {}
  const reading = files ? [readFile(space, own), listFiles(space), searchFiles(space, own)] : []
  const writing = files && files !== 'read' ? [writeFile(space, own), editFile(space, own)] : []
  const background = typeof command === 'object' ? command.background : undefined
  return [
    ...reading,
    ...writing,
    ...(command ? [shell(space, command === true ? {} : command)] : []),
    ...(background ? [commandOutput(background)] : []),
    ...(fetch ? [fetchUrl(fetch === true ? {} : fetch)] : []),
  ]
}
