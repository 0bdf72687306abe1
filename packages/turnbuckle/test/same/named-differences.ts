import type { Difference } from './comparison.ts'

/** A difference that is meant: a bug of the version before that is mended. */
export interface NamedDifference {
  /** The bug, and the commit that mends it. */
  readonly name: string
  readonly is: (difference: Difference) => boolean
}

export const namedDifferences: readonly NamedDifference[] = []
