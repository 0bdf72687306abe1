import { type Draft, type QueuedMessage, useAppState } from './app-state.ts'

const key = 'turnbuckle.unsent'

interface Unsent {
  readonly text: Draft['text']
  readonly outbox: readonly QueuedMessage[]
}

/** The draft's text and the queued messages outlive a reload of the tab. Files of a draft do not. */
export function keepUnsentMessages(): void {
  const kept = sessionStorage.getItem(key)
  if (kept) {
    const { text, outbox } = JSON.parse(kept) as Unsent
    useAppState.setState({ draft: { text, files: [] }, queuedMessages: outbox })
  }
  useAppState.subscribe(({ draft: { text }, queuedMessages: outbox }, before) => {
    if (text === before.draft.text && outbox === before.queuedMessages) return
    try {
      sessionStorage.setItem(key, JSON.stringify({ text, outbox } satisfies Unsent))
    } catch {
      // A message that is larger than the browser stores: it is kept for as long as the page is open.
    }
  })
}
