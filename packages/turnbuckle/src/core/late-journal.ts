import type { Event } from './events.ts'
import type { Journal, Note } from './journal.ts'

/** A journal of a store that answers later: what is kept before it is there goes to it in order. */
export function lateJournal(attaching: Promise<Journal>): Journal {
  let journal: Journal | undefined
  const opened = attaching.then(attached => {
    journal = attached
    return attached
  })
  // Whoever opens it is told.
  opened.catch(() => {})
  const needed = (): Journal => {
    if (journal) return journal
    throw new Error('The journal is used before it was opened.')
  }
  return {
    get ready() {
      return journal?.ready ?? false
    },
    open: () => opened.then(attached => attached.open()),
    event: (event: Event, deliver: () => void) => needed().event(event, deliver),
    behind: deliver => needed().behind(deliver),
    note: (turnId: string, note: Note) => needed().note(turnId, note),
    barrier: () => needed().barrier(),
    release: () => opened.then(attached => attached.release()),
    load: id => journal?.load(id),
    nodes: () => journal?.nodes(),
    remove: () => opened.then(attached => attached.remove()),
  }
}
