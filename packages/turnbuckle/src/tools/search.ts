/** A search in the workspace's files. */
export interface Search {
  readonly pattern: string
  readonly glob?: string | undefined
  readonly literal?: boolean | undefined
  readonly ignoreCase?: boolean | undefined
}

/** A line that matched, in a file by its real path. */
export interface Match {
  readonly path: string
  readonly line: number
  readonly text: string
}
