import type { Client, NewTurn } from 'turnbuckle/client'
import { type AppState, useAppState } from '../state/app-state.ts'
import { randomId } from '../state/random-id.ts'
import { expectTurn } from './keep-looking.ts'

const { getState: get, setState: set, subscribe } = useAppState

/**
 * Asks the server for a turn behind a message. Resolves when this page has heard of the turn, so that the next message finds it
 * running; or when it will not hear of it: another conversation was opened, or the connection is lost.
 */
export async function beginTurn(
  client: Client,
  conversationId: string,
  parentId: string | null,
  turn: NewTurn,
  key: string = randomId(),
): Promise<void> {
  const { turnId } = await expectTurn(parentId, () => client.send(conversationId, turn, key))
  set({ begunTurn: 'text' in turn && turn.text ? { id: turnId, text: turn.text } : undefined })
  const isSettled = ({ openId, conversation, problem, status }: AppState) =>
    openId !== conversationId || problem !== undefined || status !== 'open' || conversation?.turns.has(turnId)
  if (isSettled(get())) return
  await new Promise<void>(resolve => {
    const stop = subscribe(state => {
      if (!isSettled(state)) return
      stop()
      resolve()
    })
  })
}
