let segmenter: Intl.Segmenter | undefined
/** UTF-16 units to look at for one visible character: none is longer. */
const longest = 40

/**
 * Characters as one sees them: an emoji of several people is one. Made when it is needed first, as that takes its
 * time.
 */
function charactersOf(text: string): readonly string[] {
  if (!text) return []
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

export const firstCharacter = (text: string): string => charactersOf(text.slice(0, longest))[0] ?? ''
export const lastCharacter = (text: string): string => charactersOf(text.slice(-longest)).at(-1) ?? ''
