/** A text that was cut, without the half of a surrogate pair at its beginning or end. */
export const wholeCharacters = (text: string): string => text.replace(/\p{Surrogate}/gu, '')
