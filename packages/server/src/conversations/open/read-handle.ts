import type { Agent, Conversation, Event } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'

/** How often a log is read again that another process has written to meanwhile. */
const mostTries = 5

export interface ReadHandle {
  readonly handle: Conversation
  readonly events: readonly Event[]
}

interface ReadFrom {
  readonly agent: Agent
  readonly store: ConversationStore | undefined
}

/**
 * A handle, and the log's events after a number, of one moment, unless another process writes faster than this one reads. The events come
 * first: a handle that knows less than the view would refuse what people see.
 */
export async function readHandle({ agent, store }: ReadFrom, id: string, after: () => number): Promise<ReadHandle> {
  for (let tries = 1; ; tries++) {
    const events = (await store?.events(id, after())) ?? []
    const last = events.at(-1)?.seq ?? after()
    const handle = await agent.open(id)
    await handle.load()
    const now = store?.channel ? ((await store.conversation(id))?.seq ?? 0) : last
    if (now <= last || tries === mostTries) return { handle, events }
  }
}
