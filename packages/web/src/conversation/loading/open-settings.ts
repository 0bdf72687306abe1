import { useAppState } from '../../state/app-state.ts'
import { showConversationInAddress } from '../../state/conversation-in-address.ts'
import { settingsAddress } from '../../state/settings-in-address.ts'

/** Shows a section of the settings, as a new entry of the browser's history. */
export function openSettings(section = ''): void {
  const path = settingsAddress(section)
  if (location.pathname !== path) history.pushState(null, '', path)
  useAppState.setState({ settingsSection: section, railOpen: false })
}

/** Goes back from the settings to the conversation that was open, or to the blank page. */
export function closeSettings(): void {
  const { openId } = useAppState.getState()
  useAppState.setState({ settingsSection: undefined })
  showConversationInAddress(openId)
}
