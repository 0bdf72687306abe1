import type { FileVersion, WrittenInTurns } from '../../compose/written-turns.ts'
import type { ChatSession } from '../session/chat-session.ts'

/** What turns of a conversation wrote, to be put back as it was before them. */
export interface FilesBack extends WrittenInTurns {
  /** The conversation that was asked about: another may be open at the answer. */
  readonly conversation: string
}

/** What was done, in words. */
export interface FilesPut {
  /** The files that are back. */
  readonly paths: string
  readonly done: string
  /** Set where a file could not be written. */
  readonly hasFailed: boolean
}

/** What would be done to each file, what is left alone, and the commands that cannot be undone. `put`: files that would be put back. */
export function filesBackLines(
  { composed }: ChatSession,
  { files, commands, isShort }: FilesBack,
): { readonly put: number; readonly lines: readonly string[] } {
  const { back, changed, deleted } = composed.fileVersions.compare({ files })
  const lines = [
    ...back.map(backLine),
    ...changed.map(({ path }) => `leave ${path}: it was changed since`),
    ...deleted.map(({ path }) => `leave ${path}: it was deleted since`),
    ...(isShort ? ['What earlier turns wrote is no longer kept: it stays as it is.'] : []),
    ...commandLines(commands),
  ]
  return { put: back.length, lines }
}

export const commandLines = (commands: readonly string[]): readonly string[] =>
  commands.length ? ['What these commands did cannot be undone:', ...commands.map(command => `  $ ${command}`)] : []

const backLine = ({ path, before, wasChangedBetween }: FileVersion): string => {
  const what = before === null ? `delete ${path} (it was new)` : `restore ${path}`
  return wasChangedBetween ? `${what}, also what somebody else changed in it between` : what
}

/** Puts the files back. One that somebody changed, be it while the person was asked, stays. */
export async function putFilesBack({ composed }: ChatSession, filesBack: FilesBack): Promise<FilesPut> {
  const { back, changed, deleted, failed } = await composed.fileVersions.restore(filesBack.conversation, filesBack)
  const paths = listed(back)
  const done = [
    `Undone: ${paths || 'nothing'}`,
    ...(changed.length ? [`Left as they are, changed since: ${listed(changed)}`] : []),
    ...(deleted.length ? [`Left as they are, deleted since: ${listed(deleted)}`] : []),
    ...failed.map(({ path, reason }) => `Could not put back ${path}: ${reason}`),
  ]
  return { paths, done: done.join('\n'), hasFailed: failed.length > 0 }
}

const listed = (files: readonly FileVersion[]): string => files.map(({ path }) => path).join(', ')
