import { type RefObject, useEffect } from 'react'

/** The control that had the focus last, and its message with the place among those shown. */
interface FocusedControl {
  readonly control: Element
  readonly message: Element | null
  readonly place: number
  /** It stands in the form of a question. */
  readonly isInRequest: boolean
  readonly byKeyboard: boolean
}

const messagesIn = (column: HTMLElement): Element[] => [...column.querySelectorAll('.message')]

/**
 * Hands the focus on when the control that has it leaves the page: to the same control of the message that stands in its place now, as when
 * one walks through branches, else to the message box. From the form of a question nothing goes there: a key in the box would answer it.
 */
export function useKeepFocus(column: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = column.current
    if (!element) return
    let last: FocusedControl | undefined
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element ? focusedControl(element, target) : undefined
    }
    // A control that leaves the page loses the focus too; only one that stays was left by the person.
    const forget = () => {
      const left = last
      queueMicrotask(() => {
        if (last === left && left?.control.isConnected) last = undefined
      })
    }
    const observer = new MutationObserver(() => {
      if (!last || last.control.isConnected || document.activeElement !== document.body) return
      handOn(element, last)
    })
    element.addEventListener('focusin', remember)
    element.addEventListener('focusout', forget)
    observer.observe(element, { childList: true, subtree: true })
    return () => {
      element.removeEventListener('focusin', remember)
      element.removeEventListener('focusout', forget)
      observer.disconnect()
    }
  }, [column])
}

function focusedControl(column: HTMLElement, control: Element): FocusedControl {
  const message = control.closest('.message')
  const place = message ? messagesIn(column).indexOf(message) : -1
  const isInRequest = control.closest('.request') !== null
  return { control, message, place, isInRequest, byKeyboard: control.matches(':focus-visible') }
}

function handOn(column: HTMLElement, lost: FocusedControl): void {
  const message = messagesIn(column)[lost.place]
  const buttons = [...(message?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])]
  const next = successors(lost).flatMap(isNext => buttons.find(isNext) ?? [])[0]
  // On a phone the message box would open the keyboard.
  const fallback = !lost.isInRequest && matchMedia('(hover: hover)').matches ? 'composer' : 'stage'
  if (next) next.focus({ preventScroll: !lost.byKeyboard })
  else document.getElementById(fallback)?.focus({ preventScroll: true })
}

/** Questions to the buttons of a message, the first that one answers with yes counts. */
function successors({ control, message }: FocusedControl): ((button: HTMLButtonElement) => boolean)[] {
  const { ariaLabel } = control
  return [
    button => ariaLabel !== null && button.ariaLabel === ariaLabel,
    // At the first and the last branch one can only turn round.
    button => control.closest('.branches') !== null && button.closest('.branches') !== null,
    // The person has thought better of an edit; where it was sent, its message has made room for another.
    button =>
      control.closest('.editing') !== null &&
      message?.isConnected === true &&
      button.ariaLabel?.startsWith('Edit') === true,
  ]
}
