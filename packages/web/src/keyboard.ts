import { useEffect } from 'react'
import { doubleEscape } from './double-escape.ts'
import { show, useApp } from './state/app-state.ts'
import { open, stopTurn } from './state/conversations.ts'

const shortcuts: Readonly<Record<string, () => void>> = {
  n: () => void open(undefined).then(() => document.getElementById('composer')?.focus()),
  k: search,
  t: () => show({ panel: useApp.getState().panel === 'tree' ? 'chat' : 'tree' }),
  i: () => show({ inspecting: !useApp.getState().inspecting }),
  j: () => document.getElementById('composer')?.focus(),
}

/** Where the list is a drawer, it has to come out first. */
function search(): void {
  const box = document.getElementById('search')
  if (!box) return
  if (getComputedStyle(box).visibility === 'visible') box.focus()
  else {
    show({ railOpen: true })
    requestAnimationFrame(() => box.focus())
  }
}

/** Alt + letter, which no text field uses; and ESC ESC, everywhere. */
export function useKeyboard(): void {
  useEffect(() => {
    const onEscape = doubleEscape(() => performance.now(), stopTurn)
    const onKey = (event: KeyboardEvent) => {
      onEscape(event.key)
      if (!event.altKey || event.ctrlKey || event.metaKey) return
      const run = shortcuts[event.code.replace('Key', '').toLowerCase()]
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [])
}
