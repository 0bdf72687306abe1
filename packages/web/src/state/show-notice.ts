import { type Notice, useAppState } from './app-state.ts'

const shownMs = 6000
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a notice for six seconds. A newer notice takes the place of the one before. */
export function showNotice(text: string, tone: Notice['tone'] = 'bad'): void {
  clearTimeout(timer)
  useAppState.setState({ notice: { text, tone } })
  timer = setTimeout(() => useAppState.setState({ notice: undefined }), shownMs)
}
