const doubleEscMs = 500

/** Fires on ESC pressed twice within half a second, with no other key in between. */
export function doubleEscape(now: () => number, fire: () => void): (key: string) => void {
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
