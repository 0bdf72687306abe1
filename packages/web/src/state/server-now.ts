let difference = Number.POSITIVE_INFINITY

/**
 * Takes the server's time from an event or answer. Each took some time to arrive, so the smallest difference seen is that
 * of the clocks.
 */
export const noteServerTime = (at: number): void => {
  difference = Math.min(difference, Date.now() - at)
}

/** The server's clock now, in milliseconds; this page's own until a first time was noted. */
export const serverNow = (): number => Date.now() - (Number.isFinite(difference) ? difference : 0)
