/** Numbers from a seed (mulberry32): the same seed gives the same plan. */
export function randomOf(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: list => list[Math.floor(next() * list.length)],
    chance: share => next() < share,
    fork: name => randomOf([...name].reduce((sum, char) => Math.imul(sum, 31) + char.charCodeAt(0), seed)),
  }
}
