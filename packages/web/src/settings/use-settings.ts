import { useState } from 'react'
import type { Client, SettingsChange, WireSettings } from 'turnbuckle/client'
import { loadModels } from '../conversation/loading/load-conversation-list.ts'
import { callServer } from '../state/call-server.ts'
import { showNotice } from '../state/show-notice.ts'
import { useLoaded } from './use-loaded.ts'

const read = (client: Client) => client.settings()

/** Changes the user's file; resolves to false where the server refused that, and has told why. */
export type ChangeSettings = (change: SettingsChange) => Promise<boolean>

/** The settings in force, once they were read, a function that changes them, and one that reads them again. */
export function useSettings(): readonly [WireSettings | undefined, ChangeSettings, () => void] {
  const [first, readAgain] = useLoaded(read)
  const [later, setLater] = useState<WireSettings>()
  const change: ChangeSettings = async wanted => {
    const settings = await callServer(client => client.changeSettings(wanted))
    if (!settings) return false
    setLater(settings)
    showNotice('Saved.', 'news')
    await loadModels()
    return true
  }
  return [
    later ?? first,
    change,
    () => {
      setLater(undefined)
      readAgain()
    },
  ]
}
