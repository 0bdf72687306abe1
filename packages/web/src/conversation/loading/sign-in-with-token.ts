import { createClient } from 'turnbuckle/client'
import { useAppState } from '../../state/app-state.ts'
import { conversationInAddress } from '../../state/conversation-in-address.ts'
import { settingsInAddress } from '../../state/settings-in-address.ts'
import { storeToken } from '../../state/stored-token.ts'
import { openConversation } from '../open-conversation.ts'
import { changeConversationList, loadConversationList } from './load-conversation-list.ts'

const { getState: get, setState: set } = useAppState

/** Connects to the server of this page, and opens the conversation that the address names. */
export function signInWithToken(token: string): void {
  get().client?.close()
  storeToken(token)
  const client = createClient({ url: location.origin, token })
  set({ client, status: client.status })
  client.onStatus(status => {
    const { status: before, isListMissing } = get()
    // A server that began anew numbers spans anew: they are asked for again.
    if (status === 'open') set({ status, spans: new Map() })
    else set({ status })
    if (status === 'open' && (before === 'offline' || isListMissing)) void loadConversationList()
  })
  client.watch(changeConversationList)
  void loadConversationList()
  const settingsSection = settingsInAddress()
  if (settingsSection === undefined) void openConversation(conversationInAddress())
  else set({ settingsSection })
}
