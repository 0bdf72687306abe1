import type { ChatState } from './chat-state.ts'
import type { TranscriptItem } from './transcript-item.ts'

/** Adds something finished, behind what is still changing. */
export const addItem = (state: ChatState, item: TranscriptItem): ChatState =>
  moveFinished({ ...state, live: [...state.live, item] })

/** Moves what is finished at the front to the past, so that the order stays. */
export function moveFinished(state: ChatState): ChatState {
  const open = state.live.findIndex(({ done }) => !done)
  const count = open < 0 ? state.live.length : open
  if (!count) return state
  return { ...state, past: [...state.past, ...state.live.slice(0, count)], live: state.live.slice(count) }
}

export const changeItem = (state: ChatState, id: string, update: (item: TranscriptItem) => TranscriptItem): ChatState =>
  moveFinished({ ...state, live: state.live.map(item => (item.id === id ? update(item) : item)) })

/** Something is said above what still changes: that has to stay short. */
export const addNotice = (state: ChatState, text: string, tone: 'plain' | 'warn' = 'plain'): ChatState => ({
  ...state,
  past: [...state.past, { kind: 'notice', id: `notice ${state.epoch} ${state.past.length}`, text, tone, done: true }],
})

/** Nothing moves any more, and says so: the turn is over, or its process is gone. */
export function closeLiveItems(state: ChatState, how: 'interrupted' | 'cut off'): ChatState {
  const live = state.live.map((item): TranscriptItem => {
    if (item.done) return item
    return item.kind === 'reply' ? { ...item, done: true, cut: how } : { ...item, done: true, status: how }
  })
  return moveFinished({ ...state, live, activity: '' })
}
