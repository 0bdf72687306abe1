import { type RefObject, useEffect } from 'react'
import { questionAtComposer } from '../requests/composer-answer.ts'
import { useAppState } from '../state/app-state.ts'

/** Nobody is at it: the page itself, a message that was clicked on, or the button that sent one. Marked words are somebody's. */
export const isFocusFree = (element: Element | null): boolean =>
  (!element || element.matches('body, #stage, .message, .composer-box .send')) && getSelection()?.isCollapsed !== false

/**
 * Gives the message box the focus when a question begins to wait, since keys and words in it are the answer. A control or a field that the
 * person is at keeps it; on a phone it would open the keyboard over the question.
 */
export function useQuestionFocus(box: RefObject<HTMLElement | null>): void {
  const asked = useAppState(app => questionAtComposer(app)?.id)
  useEffect(() => {
    if (asked !== undefined && isFocusFree(document.activeElement) && matchMedia('(hover: hover)').matches)
      box.current?.focus({ preventScroll: true })
  }, [asked, box])
}
