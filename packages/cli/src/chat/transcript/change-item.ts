import type { ChatState } from './chat-state.ts'
import type { CutMark, TranscriptItem } from './transcript-item.ts'

/** Adds an item behind the live ones. */
export const addItem = (state: ChatState, item: TranscriptItem): ChatState =>
  moveFinished({ ...state, live: [...state.live, item] })

/**
 * Moves finished items at the front of the live ones to the past. One behind an unfinished item waits, so that the
 * order stays.
 */
export function moveFinished(state: ChatState): ChatState {
  const open = state.live.findIndex(({ done }) => !done)
  const count = open < 0 ? state.live.length : open
  if (!count) return state
  return { ...state, past: [...state.past, ...state.live.slice(0, count)], live: state.live.slice(count) }
}

export const changeItem = (state: ChatState, id: string, update: (item: TranscriptItem) => TranscriptItem): ChatState =>
  moveFinished({ ...state, live: state.live.map(item => (item.id === id ? update(item) : item)) })

/** Adds a notice to the past, above the live items: those have to stay few. */
export function addNotice(state: ChatState, text: string, tone: 'plain' | 'warn' = 'plain', asked?: string): ChatState {
  const id = `notice ${state.epoch} ${state.past.length}`
  const notice = { kind: 'notice', id, text, tone, done: true, ...(asked === undefined ? {} : { asked }) } as const
  return { ...state, past: [...state.past, notice] }
}

/** Ends every live item, marked with how: the turn has ended, or its process is gone. */
export function closeLiveItems(state: ChatState, how: CutMark): ChatState {
  const live = state.live.map((item): TranscriptItem => {
    if (item.done) return item
    return item.kind === 'reply' ? { ...item, done: true, cut: how } : { ...item, done: true, status: how }
  })
  return moveFinished({ ...state, live, activity: '' })
}

/** Ends the replies that are recorded as cut off, where the turn goes on without them. */
export const closeCutReplies = (state: ChatState): ChatState =>
  moveFinished({
    ...state,
    live: state.live.map(item => (item.kind === 'reply' && item.cut ? { ...item, done: true } : item)),
  })
