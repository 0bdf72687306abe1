import {
  type Client,
  type ConversationState,
  conversationState,
  type Part,
  type WireConversation,
  type WireNode,
  type WireTurn,
} from 'turnbuckle/client'
import { onTestFinished } from 'vitest'
import { type AppState, useAppState } from '../src/state/app-state.ts'

/** A recorded message. Its turn is `t` unless told otherwise. */
export function node(id: string, parentId: string | null, more: Partial<WireNode> & { text?: string } = {}): WireNode {
  const { text = '', ...rest } = more
  const content: Part[] = text ? [{ type: 'text', text }] : []
  return { id, parentId, turnId: 't', createdAt: 0, message: { id, role: 'user', content }, ...rest }
}

/** A recorded reply with the given parts. */
export const reply = (id: string, parentId: string | null, content: readonly Part[] = []): WireNode =>
  node(id, parentId, { message: { id, role: 'assistant', content } })

export const treeOf = (...nodes: readonly WireNode[]): ReadonlyMap<string, WireNode> =>
  new Map(nodes.map(one => [one.id, one]))

export const runningTurnOf = (id: string, parentId: string | null): WireTurn => ({
  id,
  parentId,
  status: 'running',
  startedAt: 0,
  seq: 1,
})

export const wireConversation = (more: Partial<WireConversation> = {}): WireConversation => ({
  id: 'c',
  title: '',
  head: null,
  seq: 0,
  at: 0,
  nodes: [],
  turns: [],
  calls: [],
  requests: [],
  ...more,
})

export const conversation = (more: Partial<WireConversation> = {}): ConversationState =>
  conversationState(wireConversation(more))

/** Gives the page a state for one test. Calls that the test does not name are missing: a page that makes one fails. */
export function givePage(state: Omit<Partial<AppState>, 'client'>, client: Partial<Client> = {}): void {
  const before = useAppState.getInitialState()
  useAppState.setState({ ...before, status: 'open', ...state, client: client as Client }, true)
  onTestFinished(() => useAppState.setState(before, true))
}
