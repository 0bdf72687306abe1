import { type Middleware, middleware, type Span } from 'turnbuckle'
import { createTimeline, packTrace, type Timeline, unpackTrace } from 'turnbuckle/middleware'
import type { ConversationStore } from 'turnbuckle/stores'
import { RunningHooks } from './hooks/running-hooks.ts'

const month = 30 * 24 * 60 * 60 * 1000
const space = 'trace'
/** The traces of turns that a server ran. */
const ofServer = 'server.traces'

export interface Traces {
  readonly timeline: Timeline
  readonly running: RunningHooks
  readonly use: readonly Middleware[]
}

/** Records what happens in each turn, and keeps it for a month when the turn has ended; not of a server, whose inspector does so itself. */
export function keepTraces(store: ConversationStore, isServed = false): Traces {
  const timeline = createTimeline({ turns: 20 })
  const running = new RunningHooks()
  timeline.subscribe(({ kind, depth, turnId }) => {
    if (kind !== 'stage' || depth !== 0) return
    // A store that fails must not fail the turn: the trace is a convenience.
    Promise.resolve()
      .then(() => store.set(space, turnId, packTrace(timeline.of(turnId)), Date.now() + month, true))
      .catch(() => {})
  })
  const use = middleware({
    name: 'trace',
    description: 'Records each stage and hook with its time.',
    onOpen: span => running.begin(span),
    onTrace(span) {
      running.end(span)
      timeline.record(span)
    },
  })
  return { timeline, running, use: isServed ? [] : [use] }
}

export const readTrace = async (store: ConversationStore, turnId: string): Promise<readonly Span[]> =>
  unpackTrace((await store.get(space, turnId)) ?? (await store.get(ofServer, turnId)))

export async function eraseTrace(store: ConversationStore, turnId: string): Promise<void> {
  for (const each of [space, ofServer]) await store.set(each, turnId, undefined)
}
