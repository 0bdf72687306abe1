import type { ConversationStore } from 'turnbuckle/stores'
import type { TurnRunner } from './turn-runner.ts'

/**
 * Has the engine go on with the unfinished turns of a conversation, but for those that wait for people: their answers and the engine's
 * timers wake them. Repeats what an engine or a server may have lost.
 */
export async function wakeTurns(store: ConversationStore, runner: TurnRunner, conversation: string): Promise<void> {
  const turns = await store.turns({ conversation, status: 'open' })
  if (!turns.length) return
  const waiting = await store.requests({ conversation })
  const ended = await store.requests({ conversation, closed: true })
  for (const { id } of turns) {
    const isOf = (request: { readonly turn: string }) => request.turn === id
    if (waiting.some(request => isOf(request) && (request.deadline ?? Infinity) > Date.now())) continue
    // One whose deadline is over is expired by the turn itself.
    const over = [...waiting, ...ended].filter(isOf)
    await runner.wake(
      { conversationId: conversation, turnId: id },
      over.map(request => request.id),
    )
  }
}
