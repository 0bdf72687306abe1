import type { Ids } from '../core/base/ports.ts'

/** Ids that are the same in every run: `turn_1`, `turn_2`, `conv_1`. */
export function sequentialIds(): Ids {
  const counts = new Map<string, number>()
  return {
    next(kind) {
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      return `${kind}_${count}`
    },
  }
}
