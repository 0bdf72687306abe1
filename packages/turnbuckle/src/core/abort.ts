/** Rejects with the signal's reason as soon as it is aborted, and leaves nothing behind on it. */
export function untilAborted<Value>(promise: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cut = () => reject(signal.reason)
    if (signal.aborted) cut()
    signal.addEventListener('abort', cut)
    const off = () => signal.removeEventListener('abort', cut)
    promise.then(
      value => {
        off()
        resolve(value)
      },
      error => {
        off()
        reject(error)
      },
    )
  })
}

/** Aborted when either is. */
export const either = (one: AbortSignal | undefined, other: AbortSignal): AbortSignal =>
  one ? AbortSignal.any([one, other]) : other
