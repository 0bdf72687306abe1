import { type Draft, type QueuedMessage, useAppState } from './app-state.ts'
import { draftKey, emptyDraft } from './drafts.ts'

const key = 'turnbuckle.unsent'
/** Milliseconds after which a change is stored. A long paste is not written anew with each letter. */
const storeMs = 200

interface Unsent {
  /** Drafts by conversation, with the files that the server has. */
  readonly kept: Readonly<Record<string, Draft>>
  readonly outbox: readonly QueuedMessage[]
}

/** The drafts and the queued messages outlive a reload of the tab. A file that is still being uploaded does not. */
export function keepUnsentMessages(): void {
  const stored = sessionStorage.getItem(key)
  if (stored) {
    const { kept = {}, outbox = [] } = JSON.parse(stored) as Partial<Unsent>
    // No conversation is open yet: opening the one of the address takes out its draft.
    const { [draftKey(undefined)]: draft = emptyDraft, ...drafts } = kept
    useAppState.setState({ draft, drafts, queuedMessages: outbox })
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const store = () => {
    clearTimeout(timer)
    timer = undefined
    storeUnsent()
  }
  useAppState.subscribe(({ draft, drafts, queuedMessages: outbox }, before) => {
    if (draft === before.draft && drafts === before.drafts && outbox === before.queuedMessages) return
    timer ??= setTimeout(store, storeMs)
  })
  window.addEventListener('pagehide', () => timer !== undefined && store())
}

function storeUnsent(): void {
  const { draft, drafts, openId, queuedMessages: outbox } = useAppState.getState()
  const all = Object.entries({ ...drafts, [draftKey(openId)]: draft }).map(
    ([id, one]) => [id, { ...one, files: one.files.filter(file => file.id !== undefined) }] as const,
  )
  const kept = Object.fromEntries(all.filter(([, one]) => one.text || one.files.length || one.pastes.length))
  try {
    sessionStorage.setItem(key, JSON.stringify({ kept, outbox } satisfies Unsent))
  } catch {
    // A message that is larger than the browser stores: it is kept for as long as the page is open.
  }
}
