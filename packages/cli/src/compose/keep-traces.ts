import type { Middleware } from 'turnbuckle'
import { createTimeline, type Timeline, trace } from 'turnbuckle/middleware'
import type { ConversationStore } from 'turnbuckle/stores'

const month = 30 * 24 * 60 * 60 * 1000
const space = 'trace'

/** Records what happens in each turn, and keeps it for a month when the turn has ended. */
export function keepTraces(store: ConversationStore): { readonly timeline: Timeline; readonly use: Middleware } {
  const timeline = createTimeline({ turns: 20 })
  timeline.subscribe(({ kind, depth, turnId }) => {
    if (kind !== 'stage' || depth !== 0) return
    // A store that fails must not fail the turn: the trace is a convenience.
    Promise.resolve()
      .then(() => store.set(space, turnId, timeline.of(turnId), Date.now() + month))
      .catch(() => {})
  })
  return { timeline, use: trace(timeline) }
}

export const readTrace = async (store: ConversationStore, turnId: string): Promise<ReturnType<Timeline['of']>> =>
  ((await store.get(space, turnId)) as ReturnType<Timeline['of']> | undefined) ?? []
