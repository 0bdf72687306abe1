import type { Journal } from './journal-port.ts'

/** A journal of a store that answers later: what is kept before it is there goes to it in order. */
export function lateJournal(attaching: Promise<Journal>): Journal {
  let journal: Journal | undefined
  let failed: unknown
  const waiting: ((journal: Journal) => void)[] = []
  const opened = attaching.then(
    attached => {
      journal = attached
      for (const use of waiting.splice(0)) use(attached)
      return attached
    },
    error => {
      failed = error
      throw error
    },
  )
  // Whoever opens it is told.
  opened.catch(() => {})
  const use = (act: (journal: Journal) => void): void => {
    if (journal) act(journal)
    else if (failed === undefined) waiting.push(act)
  }
  return {
    get ready() {
      return journal?.ready ?? false
    },
    get broken() {
      return journal ? journal.broken : failed
    },
    open: () => opened.then(attached => attached.open()),
    refresh: () => opened.then(attached => attached.refresh()),
    event: (event, deliver) => use(attached => attached.event(event, deliver)),
    behind: deliver => use(attached => attached.behind(deliver)),
    note: (turnId, note) => use(attached => attached.note(turnId, note)),
    prompt: (...sent) => use(attached => attached.prompt(...sent)),
    sketch: (...shown) => use(attached => attached.sketch(...shown)),
    lastEnd: () => opened.then(attached => attached.lastEnd()),
    barrier: () => opened.then(attached => attached.barrier()),
    release: () => opened.then(attached => attached.release()),
    load: id => journal?.load(id),
    nodes: () => journal?.nodes(),
    readAll: () => opened.then(attached => attached.readAll()),
    remove: () => opened.then(attached => attached.remove()),
  }
}
