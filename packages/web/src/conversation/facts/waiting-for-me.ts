import type { ConversationSummary } from 'turnbuckle/client'
import type { AppState } from '../../state/app-state.ts'

/** The number of a conversation's open questions that the person may answer: whoever only reads it answers none. */
export const waitingForMe = (
  me: AppState['me'],
  { waiting, access }: Pick<ConversationSummary, 'waiting' | 'access'>,
): number => (me?.role === 'viewer' || access === 'read' ? 0 : waiting)
