/** The characters of a pattern in order, without escapes; undefined for a star, which stands for anything. */
export type Characters = readonly (string | undefined)[]

export const charactersOf = (pattern: string): Characters =>
  Array.from(pattern.matchAll(/\\([\s\S])|\*|[\s\S]/g), ([sign, escaped]) =>
    sign === '*' ? undefined : (escaped ?? sign),
  )

/** Tests whether a text has one of these forms. Linear: it never goes back in the text, however many stars there are. */
export function glob(forms: readonly Characters[]): (text: string) => boolean {
  const written = forms.map(betweenStars)
  return text => written.some(pieces => isLike(text, pieces))
}

/** The texts between the stars of a form. */
export function betweenStars(form: Characters): string[] {
  const pieces = ['']
  for (const character of form)
    if (character === undefined) pieces.push('')
    else pieces.push(pieces.pop() + character)
  return pieces
}

function isLike(text: string, pieces: readonly string[]): boolean {
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)]
  if (pieces.length === 1) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
