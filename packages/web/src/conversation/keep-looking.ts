import { applyEvent, type ConversationState, type WireEvent } from 'turnbuckle/client'
import { childrenOf } from './facts/message-tree.ts'

/** Messages behind which this page has asked for a turn that it has not heard of yet. */
let expected: readonly (string | null)[] = []

/** Asks for a turn behind a message: the page goes along with it. */
export async function expectTurn<Result>(parentId: string | null, ask: () => Promise<Result>): Promise<Result> {
  expected = [...expected, parentId]
  try {
    return await ask()
  } catch (error) {
    forget(parentId)
    throw error
  }
}
/** Expects nothing of a conversation that is read anew. */
export const expectNoTurn = (): void => {
  expected = []
}
function forget(parentId: string | null): boolean {
  const index = expected.indexOf(parentId)
  if (index < 0) return false
  expected = expected.filter((_, i) => i !== index)
  return true
}

/** The state after an event; `elsewhere` is the turn that somebody began where this page did not go along. */
export interface Looked {
  readonly state: ConversationState
  readonly elsewhere?: string
}

/**
 * Applies an event to what this page looks at. Where it looks stays its own: it goes along with turns that it asked for itself and with
 * those that go on at the end of its branch, and with nothing that another page does elsewhere.
 */
export function keepLooking(before: ConversationState, event: WireEvent): Looked {
  const state = applyEvent(before, event)
  const { head, headTurn, nodes, tips } = before
  if (event.type === 'message.hidden') return { state: outOfHidden(before, state) }
  if (state.head === head && state.headTurn === headTurn) return { state }
  if (event.type === 'head.moved') return { state: { ...state, head, headTurn } }
  if (event.type !== 'turn.started') return { state }
  const { turnId = '', parentId = null } = event
  const goesAlong = tips.has(turnId) || forget(parentId) || (parentId === head && !childrenOf(nodes).has(head))
  return goesAlong ? { state } : { state: { ...state, head, headTurn }, elsewhere: turnId }
}

/** Where the message that is looked at was hidden, the page goes up to the next that is still shown. */
function outOfHidden(before: ConversationState, state: ConversationState): ConversationState {
  let id = state.head
  while (id !== null && !state.nodes.has(id)) id = before.nodes.get(id)?.parentId ?? null
  return id === state.head ? state : { ...state, head: id, headTurn: undefined }
}
