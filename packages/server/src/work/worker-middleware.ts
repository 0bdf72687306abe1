import type { Agent } from 'turnbuckle'
import type { ConversationSettings } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import { Inspector, type SpanNews } from '../inspector/inspector.ts'
import { StoredTraces } from '../inspector/stored-traces.ts'
import { conversationSettings } from '../settings/conversation-settings.ts'
import type { Models } from '../settings/models.ts'

interface WorkerMiddlewareOptions {
  readonly agent: Agent
  readonly store: ConversationStore
  readonly models: Models
  /** The settings that a conversation's turn was ordered with. A turn that is resumed has them in its log. */
  readonly settingsOf: (conversationId: string) => ConversationSettings | undefined
}

/** Gives a worker's agent the middleware that a server gives its own: conversations' settings, and traces, which are kept at a turn's end. */
export function useWorkerMiddleware({ agent, store, models, settingsOf }: WorkerMiddlewareOptions): () => void {
  const traces = new StoredTraces(store)
  const inspector: Inspector = new Inspector((turnId, news) => {
    if (!isLast(news)) return
    // A trace that could not be kept is lost with this process.
    void traces
      .keep(turnId, inspector.trace(turnId)?.spans ?? [])
      .catch(() => {})
      .finally(() => inspector.forget(turnId))
  })
  return agent.use([inspector.middleware, conversationSettings(settingsOf, models)])
}

/** The turn's own stage is the last that ends. */
const isLast = (news: SpanNews): boolean => 'ended' in news && news.ended.kind === 'stage' && news.ended.depth === 0
