import { type Notice, useAppState } from './app-state.ts'

const shownMs = 6000
const shownWithActionMs = 15_000
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Shows a notice for six seconds; one with an action for fifteen. A newer notice takes the place of the one before. Where something went
 * wrong, a list that is a drawer gives way: it would lie over the notice.
 */
export function showNotice(text: string, tone: Notice['tone'] = 'bad', action?: Notice['action']): void {
  clearTimeout(timer)
  const drawer = tone === 'bad' ? { railOpen: false } : {}
  useAppState.setState({ notice: { text, tone, ...(action ? { action } : {}) }, ...drawer })
  timer = setTimeout(() => useAppState.setState({ notice: undefined }), action ? shownWithActionMs : shownMs)
}
