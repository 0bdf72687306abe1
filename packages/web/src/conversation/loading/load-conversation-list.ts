import type { ListChange } from 'turnbuckle/client'
import { useAppState } from '../../state/app-state.ts'
import { callServer } from '../../state/call-server.ts'
import { showNotice } from '../../state/show-notice.ts'
import { openConversation } from '../open-conversation.ts'
import { sendQueuedMessages } from '../send-queued-messages.ts'
import { loadMiddleware } from './load-middleware.ts'

const { getState: get, setState: set } = useAppState

export async function loadConversationList(): Promise<void> {
  set({ isListMissing: false })
  const list = await callServer(client => client.listConversations({ limit: 1000 }))
  set(list ? { list } : { isListMissing: true })
  sendQueuedMessages()
  await Promise.all([loadAskedRequests(), loadMiddleware(), loadMe().then(loadModels)])
}

async function loadMe(): Promise<void> {
  const me = await callServer(client => client.me())
  if (me) set({ me })
}

async function loadAskedRequests(): Promise<void> {
  const askedRequests = await callServer(client => client.requests())
  if (askedRequests) set({ askedRequests })
}

/** Reads the models that one can choose from; a viewer chooses none. */
export async function loadModels(): Promise<void> {
  if (get().me?.role === 'viewer') return
  const models = await callServer(client => client.models())
  if (models) set({ models })
}

/** Takes a change of the list that the server tells of. The newest conversation stands first. */
export function changeConversationList(change: ListChange): void {
  if (change.type === 'requests.changed') {
    void loadAskedRequests()
    return
  }
  if (change.type === 'switches.changed') {
    void loadMiddleware()
    return
  }
  const { list, openId } = get()
  if (change.type === 'conversation.deleted') {
    const { conversationId: gone } = change
    set({
      list: list?.filter(({ id }) => id !== gone),
      queuedMessages: get().queuedMessages.filter(({ conversationId }) => conversationId !== gone),
    })
    if (openId !== gone) return
    showNotice('This conversation was deleted.', 'news')
    void openConversation(undefined)
    return
  }
  // One conversation is not the list: that is read whole, or is being read.
  if (!list) {
    if (get().isListMissing) void loadConversationList()
    return
  }
  const { conversation } = change
  // The open conversation of a sub-agent tells of itself, and stands in no list.
  if (conversation.id === openId && get().conversation?.caller) return
  const rest = list.filter(({ id }) => id !== conversation.id)
  set({ list: [conversation, ...rest].sort((a, b) => b.updatedAt - a.updatedAt) })
  sendQueuedMessages()
}
