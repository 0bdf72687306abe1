import { useEffect } from 'react'
import { openConversation } from './conversation/open-conversation.ts'
import { stopTurn } from './conversation/stop-turn.ts'
import { doubleEscape } from './double-escape.ts'
import { panels } from './panels.ts'
import { changePageLayout, togglePanel } from './state/page-layout.ts'

const focusComposer = (): void => document.getElementById('composer')?.focus()

/** Alt and one of these letters, on every keyboard layout by the key's place. */
const shortcuts: Readonly<Record<string, () => void>> = {
  N: () => void openConversation(undefined).then(focusComposer),
  K: focusSearch,
  J: focusComposer,
  ...Object.fromEntries(panels.map(panel => [panel.key, () => togglePanel(panel)])),
}

/** Focuses the search box. A conversation list that is a drawer is opened first. */
function focusSearch(): void {
  const box = document.getElementById('search')
  if (!box) return
  if (getComputedStyle(box).visibility === 'visible') box.focus()
  else {
    changePageLayout({ railOpen: true })
    requestAnimationFrame(() => box.focus())
  }
}

/** Alt and a letter, which no text field uses; and ESC ESC, which stops the turn, everywhere. */
export function useKeyboardShortcuts(): void {
  useEffect(() => {
    const onEscape = doubleEscape(() => performance.now(), stopTurn)
    const onKey = (event: KeyboardEvent) => {
      onEscape(event.key)
      if (!event.altKey || event.ctrlKey || event.metaKey) return
      const run = shortcuts[event.code.replace('Key', '')]
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [])
}
