import { useState } from 'react'

export interface Comparison {
  readonly comparing: boolean
  readonly picked: readonly string[]
  /** Picks a message, or takes it back. */
  pick(id: string): void
  /** Begins with no message picked, or ends the comparison. */
  compare(on: boolean): void
}

/** The two messages whose branches are compared. A third one replaces the first. */
export function useComparison(): Comparison {
  const [comparing, setComparing] = useState(false)
  const [picked, setPicked] = useState<readonly string[]>([])
  return {
    comparing,
    picked,
    pick: (id: string) =>
      setPicked(known => (known.includes(id) ? known.filter(one => one !== id) : [...known.slice(-1), id])),
    compare(on: boolean) {
      setComparing(on)
      setPicked([])
    },
  }
}
