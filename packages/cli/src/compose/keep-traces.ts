import { type Middleware, middleware } from 'turnbuckle'
import { createTimeline, type Timeline } from 'turnbuckle/middleware'
import type { ConversationStore } from 'turnbuckle/stores'
import { RunningHooks } from './running-hooks.ts'

const month = 30 * 24 * 60 * 60 * 1000
const space = 'trace'

export interface Traces {
  readonly timeline: Timeline
  readonly running: RunningHooks
  readonly use: Middleware
}

/** Records what happens in each turn, and keeps it for a month when the turn has ended. */
export function keepTraces(store: ConversationStore): Traces {
  const timeline = createTimeline({ turns: 20 })
  const running = new RunningHooks()
  timeline.subscribe(({ kind, depth, turnId }) => {
    if (kind !== 'stage' || depth !== 0) return
    // A store that fails must not fail the turn: the trace is a convenience.
    Promise.resolve()
      .then(() => store.set(space, turnId, timeline.of(turnId), Date.now() + month))
      .catch(() => {})
  })
  const use = middleware({
    name: 'trace',
    onOpen: span => running.begin(span),
    onTrace(span) {
      running.end(span)
      timeline.record(span)
    },
  })
  return { timeline, running, use }
}

export const readTrace = async (store: ConversationStore, turnId: string): Promise<ReturnType<Timeline['of']>> =>
  ((await store.get(space, turnId)) as ReturnType<Timeline['of']> | undefined) ?? []

export const eraseTrace = async (store: ConversationStore, turnId: string): Promise<void> =>
  store.set(space, turnId, undefined)
