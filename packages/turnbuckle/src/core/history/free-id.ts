/**
 * The id that is wanted, or one made of it that is not taken: `id'`, then `id'2`, `id'3` and so on. A provider that names its first
 * call alike in every turn would else have ids that grow with the conversation, and a search through all of them.
 */
export function freeId(wanted: string, isTaken: (id: string) => boolean): string {
  if (!isTaken(wanted)) return wanted
  const numbered = (number: number): string => (number === 1 ? `${wanted}'` : `${wanted}'${number}`)
  let taken = 0
  let free = 1
  while (isTaken(numbered(free))) {
    taken = free
    free *= 2
  }
  while (free - taken > 1) {
    const middle = (taken + free) >> 1
    if (isTaken(numbered(middle))) taken = middle
    else free = middle
  }
  return numbered(free)
}
