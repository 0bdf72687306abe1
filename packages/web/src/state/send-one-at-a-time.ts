let sending = false

/** Messages of this page are sent one at a time: a second press while the first is on its way gives `undefined`. */
export async function sendOneAtATime<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  if (sending) return undefined
  sending = true
  try {
    return await work()
  } finally {
    sending = false
  }
}
