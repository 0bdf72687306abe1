let difference = Number.POSITIVE_INFINITY

/** An event took at least no time to come: the smallest difference seen is what the clocks differ by. */
export const heard = (at: number): void => {
  difference = Math.min(difference, Date.now() - at)
}

/** What the server's clock shows now, as far as its events tell. */
export const serverNow = (): number => Date.now() - (Number.isFinite(difference) ? difference : 0)
