import type { Log } from './log-port.ts'

/** The log of a store that answers later: records that are kept before it is there go to it in order. */
export function lateLog(attaching: Promise<Log>): Log {
  let log: Log | undefined
  const waiting: ((log: Log) => void)[] = []
  const attached = attaching.then(answered => {
    log = answered
    for (const append of waiting.splice(0)) append(answered)
    return answered
  })
  // The first reading rejects too, and is looked at.
  attached.catch(() => {})
  return {
    append(...given) {
      if (log) log.append(...given)
      else waiting.push(late => late.append(...given))
    },
    barrier: () => attached.then(late => late.barrier()),
    read: (what, id) => attached.then(late => late.read(what, id)),
    release: how => attached.then(late => late.release(how)),
    get desk() {
      return log?.desk
    },
  }
}
