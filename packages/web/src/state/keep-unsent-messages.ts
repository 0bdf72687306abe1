import { type Draft, type QueuedMessage, useAppState } from './app-state.ts'
import { draftKey, emptyDraft } from './drafts.ts'

const key = 'turnbuckle.unsent'

interface Unsent {
  /** Texts of drafts, by conversation. */
  readonly texts: Readonly<Record<string, string>>
  readonly outbox: readonly QueuedMessage[]
}

/** The drafts' texts and the queued messages outlive a reload of the tab. Files of drafts do not. */
export function keepUnsentMessages(): void {
  const kept = sessionStorage.getItem(key)
  if (kept) {
    const { texts = {}, outbox } = JSON.parse(kept) as Unsent
    const all = Object.entries(texts).map(([id, text]): [string, Draft] => [id, { text, files: [] }])
    // No conversation is open yet: opening the one of the address takes out its draft.
    const { [draftKey(undefined)]: draft = emptyDraft, ...drafts } = Object.fromEntries(all)
    useAppState.setState({ draft, drafts, queuedMessages: outbox })
  }
  useAppState.subscribe(({ draft, drafts, openId, queuedMessages: outbox }, before) => {
    if (draft.text === before.draft.text && drafts === before.drafts && outbox === before.queuedMessages) return
    const all = Object.entries({ ...drafts, [draftKey(openId)]: draft })
    const texts = Object.fromEntries(all.flatMap(([id, { text }]) => (text ? [[id, text]] : [])))
    try {
      sessionStorage.setItem(key, JSON.stringify({ texts, outbox } satisfies Unsent))
    } catch {
      // A message that is larger than the browser stores: it is kept for as long as the page is open.
    }
  })
}
