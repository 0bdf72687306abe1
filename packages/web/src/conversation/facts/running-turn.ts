import type { ConversationState } from 'turnbuckle/client'

/** The id of the turn that runs at the head. Turns that run on other branches are not meant. */
export const runningTurn = ({ headTurn, tips }: ConversationState): string | undefined =>
  headTurn !== undefined && tips.has(headTurn) ? headTurn : undefined
