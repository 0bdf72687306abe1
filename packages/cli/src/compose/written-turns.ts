import { createHash } from 'node:crypto'

/** A file that a tool has written in a turn. */
export interface FileVersion {
  /** Relative to the project, however the call has spelt it. */
  readonly path: string
  /** Base64 of the content before the turn; null where there was no file. */
  readonly before: string | null
  /** Hash of the content that the tool left. */
  readonly after: string
  /** Set where somebody else wrote the file between two writes that are undone together. */
  readonly wasChangedBetween?: true
}

export interface WrittenInTurn {
  readonly turnId: string
  readonly files: readonly FileVersion[]
  /** Command lines that ran in the turn. */
  readonly commands: readonly string[]
}

/** What several turns wrote, to be undone together. */
export interface WrittenInTurns extends Omit<WrittenInTurn, 'turnId'> {
  readonly turnIds: readonly string[]
  /** Set where an earlier one of the turns is no longer kept: its files cannot go back. */
  readonly isShort: boolean
}

export const joinTurns = (turns: readonly WrittenInTurn[], isShort = false): WrittenInTurns => ({
  turnIds: turns.map(({ turnId }) => turnId),
  files: turns.flatMap(({ files }) => files).reduce(joinVersions, []),
  commands: turns.flatMap(({ commands }) => commands),
  isShort,
})

/** A file that was written several times is as it was before the first time, and as the last one left it. */
export function joinVersions(files: readonly FileVersion[], later: FileVersion): readonly FileVersion[] {
  const earlier = files.find(({ path }) => path === later.path)
  if (!earlier) return [...files, later]
  const isNext = later.before !== null && hashOf(later.before) === earlier.after
  const between = isNext && !earlier.wasChangedBetween ? {} : ({ wasChangedBetween: true } as const)
  const joined = { ...later, before: earlier.before, ...between }
  return files.map(file => (file === earlier ? joined : file))
}

/** The place of the first of the last turns that wrote a file, so many of them; that of the last turn where none did. */
export function placeBefore(turns: readonly WrittenInTurn[], count: number): number {
  const writing = turns.flatMap(({ files }, place) => (files.length ? [place] : []))
  return writing.at(-count) ?? writing[0] ?? Math.max(0, turns.length - 1)
}

export const hashOf = (base64: string): string => createHash('sha256').update(base64).digest('hex')
