import { type ConversationStore, type StoreNews, watchStore } from 'turnbuckle/stores'
import { keepRightsFresh } from './access/keep-rights-fresh.ts'
import type { LiveConnections } from './access/live-connections.ts'
import type { MiddlewareSwitches } from './access/middleware-switches.ts'
import type { ConversationService } from './conversations/conversation-service.ts'

interface HearOthersOptions {
  readonly store: ConversationStore | undefined
  readonly conversations: ConversationService
  readonly connections: LiveConnections
  readonly switches: MiddlewareSwitches
  /** People's tokens, and what is shared with them. */
  readonly rights: readonly { refresh(): Promise<unknown> }[]
  readonly onError: (error: unknown) => void
}

/**
 * Takes in what other processes do to the store: to conversations, rights and switches. At once where the store has a channel; rights and
 * switches are also read once a second. Resolves when they were read first. Returns how to stop.
 */
export async function hearOthers(options: HearOthersOptions): Promise<() => void> {
  const { store, conversations, connections, switches, rights, onError } = options
  const switched = {
    async refresh() {
      if (await switches.refresh()) conversations.list.announceSwitch(undefined)
    },
  }
  const fresh = await keepRightsFresh([...rights, switched], connections, onError)
  const hear = async (news: StoreNews) => {
    if (isOfServer(news)) await fresh.look()
    await conversations.hearNews(news)
  }
  const catchUp = async () => {
    await fresh.look()
    await conversations.catchUpFollowed()
  }
  let isOver = false
  const report = (error: unknown) => {
    if (!isOver) onError(error)
  }
  const stop = watchStore(store ?? {}, {
    hear: news => void hear(news).catch(report),
    missed: () => void catchUp().catch(report),
  })
  return () => {
    isOver = true
    fresh.stop()
    stop()
  }
}

/** Tokens, shares and switches, of all small values. */
const isOfServer = (news: StoreNews): boolean =>
  news.type === 'set' && /^server\.(people|revokedTokens|shares|middleware)$/.test(news.space)
