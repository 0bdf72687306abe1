import { type Draft, useApp, type Waiting } from './app-state.ts'

const key = 'turnbuckle.unsent'

interface Unsent {
  readonly text: Draft['text']
  readonly outbox: readonly Waiting[]
}

/** What was written and not sent, and what waits to be sent, outlives a reload of the tab. Files of a draft do not. */
export function keepUnsent(): void {
  const kept = sessionStorage.getItem(key)
  if (kept) {
    const { text, outbox } = JSON.parse(kept) as Unsent
    useApp.setState({ draft: { text, files: [] }, outbox })
  }
  useApp.subscribe(({ draft: { text }, outbox }, before) => {
    if (text === before.draft.text && outbox === before.outbox) return
    try {
      sessionStorage.setItem(key, JSON.stringify({ text, outbox } satisfies Unsent))
    } catch {
      // Larger than a browser keeps: the page has it for as long as it is open.
    }
  })
}
