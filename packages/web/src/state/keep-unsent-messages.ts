import { type Draft, type MessageEdit, type QueuedMessage, useAppState } from './app-state.ts'
import { draftKey, emptyDraft } from './drafts.ts'

const key = 'turnbuckle.unsent'
/** Milliseconds after which a change is stored. A long paste is not written anew with each letter. */
const storeMs = 200

/** What is stored of the page's state. */
const kinds = ['draft', 'drafts', 'edits', 'queuedMessages'] as const

interface Unsent {
  /** Drafts by conversation, with the files that the server has. */
  readonly kept: Readonly<Record<string, Draft>>
  readonly outbox: readonly QueuedMessage[]
  readonly edits: Readonly<Record<string, MessageEdit>>
}

/** The drafts, the edits and the queued messages outlive a reload of the tab. A file that is still being uploaded does not. */
export function keepUnsentMessages(): void {
  const stored = sessionStorage.getItem(key)
  if (stored) {
    const { kept = {}, outbox = [], edits = {} } = JSON.parse(stored) as Partial<Unsent>
    // No conversation is open yet: opening the one of the address takes out its draft.
    const { [draftKey(undefined)]: draft = emptyDraft, ...drafts } = kept
    useAppState.setState({ draft, drafts, queuedMessages: outbox, edits })
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const store = () => {
    clearTimeout(timer)
    timer = undefined
    storeUnsent()
  }
  useAppState.subscribe((now, before) => {
    if (kinds.every(kind => now[kind] === before[kind])) return
    timer ??= setTimeout(store, storeMs)
  })
  window.addEventListener('pagehide', () => timer !== undefined && store())
}

function storeUnsent(): void {
  const { draft, drafts, edits: begun, openId, queuedMessages: outbox } = useAppState.getState()
  const all = Object.entries({ ...drafts, [draftKey(openId)]: draft }).map(
    ([id, one]) => [id, { ...one, files: one.files.filter(file => file.id !== undefined) }] as const,
  )
  const kept = Object.fromEntries(all.filter(([, one]) => one.text || one.files.length || one.pastes.length))
  const edits = Object.fromEntries(Object.entries(begun).map(([id, { text }]) => [id, { text, isOnItsWay: false }]))
  try {
    sessionStorage.setItem(key, JSON.stringify({ kept, outbox, edits } satisfies Unsent))
  } catch {
    // A message that is larger than the browser stores: it is kept for as long as the page is open.
  }
}
