import { useEffect } from 'react'
import { focusComposer } from './hand-focus-on.ts'

/** The control that had the focus last, and what stood around it, the nearest first. */
interface FocusedControl {
  readonly control: Element
  readonly around: readonly Element[]
}

/**
 * Catches the focus that would fall to the body because its control has left the page or was disabled, and nobody else has taken it: the
 * first control of the nearest part that is still there gets it, in a chat the message box.
 */
export function useFocusNet(): void {
  useEffect(() => {
    let last: FocusedControl | undefined
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element ? { control: target, around: ancestorsOf(target) } : undefined
    }
    // A control that can still be used was left by the person.
    const forget = () => {
      const left = last
      queueMicrotask(() => {
        if (last === left && left && isUsable(left.control)) last = undefined
      })
    }
    const observer = new MutationObserver(() => {
      if (!last || document.activeElement !== document.body || isUsable(last.control)) return
      const { around } = last
      // Whoever removed it may hand the focus on: a menu does so in a task of its own.
      const look = () => document.activeElement === document.body && focusNear(around)
      requestAnimationFrame(() => setTimeout(look))
    })
    document.addEventListener('focusin', remember)
    document.addEventListener('focusout', forget)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => {
      document.removeEventListener('focusin', remember)
      document.removeEventListener('focusout', forget)
      observer.disconnect()
    }
  }, [])
}

const isUsable = (control: Element): boolean => control.isConnected && !control.matches(':disabled')

function ancestorsOf(control: Element): Element[] {
  const around: Element[] = []
  for (let one = control.parentElement; one && one !== document.body; one = one.parentElement) around.push(one)
  return around
}

function focusNear(around: readonly Element[]): void {
  const place = around.find(({ isConnected }) => isConnected)
  const isPart = place && !place.matches('.app, .stage') && !place.closest('.scroll, .composer')
  const controls = isPart ? [...place.querySelectorAll<HTMLElement>('button:enabled, summary, a[href]')] : []
  const next = controls.find(one => one.checkVisibility())
  if (next) next.focus({ preventScroll: true })
  else focusComposer()
}
