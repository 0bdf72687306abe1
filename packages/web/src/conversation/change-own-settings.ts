import type { Client, ConversationChange, ConversationSettings, ModelParams } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'

const { getState: get, setState: set } = useAppState

type OwnSettingsChange = Pick<ConversationChange, 'model' | 'instructions' | 'params'>

/**
 * Changes the settings of the open conversation, from its next turn on; on the blank page those of the next new one. Resolves to
 * false where the server refused it.
 */
export async function changeOwnSettings(change: OwnSettingsChange): Promise<boolean> {
  const { openId, newSettings } = get()
  if (openId !== undefined) return (await callServer(client => client.changeConversation(openId, change))) !== undefined
  set({ newSettings: changed(newSettings, change) })
  return true
}

function changed(before: ConversationSettings, change: OwnSettingsChange): ConversationSettings {
  const params: ModelParams = kept({ ...before.params, ...change.params })
  return kept({ ...before, ...change, params: Object.keys(params).length ? params : null })
}

const kept = <Kept extends object>(given: object): Kept =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== '')) as Kept

/** Gives a conversation that was just made the settings that were chosen for it. */
export async function giveNewSettings(client: Client, id: string): Promise<void> {
  const { newSettings } = get()
  if (!Object.keys(newSettings).length) return
  await client.changeConversation(id, newSettings)
  set({ newSettings: {} })
}
