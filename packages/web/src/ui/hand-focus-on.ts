/**
 * Gives the message box the focus: what has it is about to leave. On a phone that would open the keyboard, and the page's main part gets
 * it, as where there is no message box.
 */
export function focusComposer(): void {
  const box = matchMedia('(hover: hover)').matches ? document.getElementById('composer') : null
  const place = box ?? document.getElementById('stage')
  place?.focus({ preventScroll: true })
}

/** The same once the page is drawn anew, and only where the control that had the focus has left it. */
export function handFocusOn(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusComposer()
  })
}
