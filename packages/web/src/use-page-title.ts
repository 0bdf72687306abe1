import { useEffect } from 'react'
import { waitingForMe } from './conversation/facts/waiting-for-me.ts'
import { type AppState, useAppState } from './state/app-state.ts'

/** The title of the tab: how many questions wait, and the conversation. The settings page has a title of its own. */
export function pageTitle({ me, list, askedRequests, conversation, openId }: AppState): string {
  const waiting = (list?.reduce((sum, one) => sum + waitingForMe(me, one), 0) ?? 0) + askedRequests.length
  const title = conversation?.title || list?.find(({ id }) => id === openId)?.title
  return `${waiting ? `(${waiting}) ` : ''}${title ? `${title} · ` : ''}Turnbuckle`
}

export function usePageTitle(): void {
  const title = useAppState(pageTitle)
  const inSettings = useAppState(app => app.settingsSection !== undefined)
  useEffect(() => {
    if (!inSettings) document.title = title
  }, [title, inSettings])
}
