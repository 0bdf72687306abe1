import type { ConversationStore } from 'turnbuckle/stores'
import type { TurnRunner } from '../turns/turn-runner.ts'

/**
 * Has the engine go on with the unfinished turns of a conversation, but for those that wait for people: their answers and the engine's
 * timers wake them. Repeats what an engine or a server may have lost.
 */
export async function wakeTurns(store: ConversationStore, runner: TurnRunner, conversation: string): Promise<void> {
  const turns = await store.turns({ conversation, status: 'open' })
  if (!turns.length) return
  const waiting = await store.requests({ conversation })
  const isAsking = (turn: string) =>
    waiting.some(request => request.turn === turn && (request.deadline ?? Infinity) > Date.now())
  for (const { id } of turns) if (!isAsking(id)) await (await wakerOf(store, runner, conversation, id))()
}

/**
 * Reads the requests of a turn, and returns a function that has the engine look at the turn again: also after the conversation's rows are
 * gone. An engine that waits for people in vain would wait for ever.
 */
export async function wakerOf(
  store: ConversationStore,
  runner: TurnRunner,
  conversation: string,
  turn: string,
): Promise<() => Promise<void>> {
  // One whose deadline is over is expired by the turn itself.
  const requests = [
    ...(await store.requests({ conversation })),
    ...(await store.requests({ conversation, closed: true })),
  ]
  const ids = requests.filter(request => request.turn === turn).map(({ id }) => id)
  return () => runner.wake({ conversationId: conversation, turnId: turn }, ids)
}
