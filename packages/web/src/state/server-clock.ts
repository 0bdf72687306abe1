let difference = Number.POSITIVE_INFINITY

/** What the server says took no less than no time to come: the smallest difference seen is what the clocks differ by. */
export const heard = (at: number): void => {
  difference = Math.min(difference, Date.now() - at)
}

/** What the server's clock shows now, as far as it has told. */
export const serverNow = (): number => Date.now() - (Number.isFinite(difference) ? difference : 0)
