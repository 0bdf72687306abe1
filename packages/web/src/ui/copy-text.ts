/**
 * Puts text on the clipboard; false where the browser does not let it. An insecure origin (plain HTTP under a LAN name)
 * has no `navigator.clipboard`: there the text is selected in a field for a moment and copied as by a person's keys.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Refused by the browser or by a frame's policy: the field below may still be allowed to.
  }
  return copyThroughField(text)
}

function copyThroughField(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  // An open dialog makes all outside it inert: the field stands inside.
  ;(focused?.closest('dialog') ?? document.body).append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return copied
}
