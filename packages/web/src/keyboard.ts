import { useEffect } from 'react'
import { open, show, stopTurn, useApp } from './state/store.ts'

const doubleEscMs = 500

/** ESC twice within half a second, with no other key in between. */
function doubleEscape(now: () => number, fire: () => void): (key: string) => void {
  let last = Number.NEGATIVE_INFINITY
  return key => {
    if (key !== 'Escape') {
      last = Number.NEGATIVE_INFINITY
      return
    }
    const at = now()
    if (at - last <= doubleEscMs) {
      last = Number.NEGATIVE_INFINITY
      fire()
    } else last = at
  }
}

const shortcuts: Readonly<Record<string, () => void>> = {
  n: () => void open(undefined).then(() => document.getElementById('composer')?.focus()),
  k: () => document.getElementById('search')?.focus(),
  t: () => show({ panel: useApp.getState().panel === 'tree' ? 'chat' : 'tree' }),
  i: () => show({ inspecting: !useApp.getState().inspecting }),
  j: () => document.getElementById('composer')?.focus(),
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
