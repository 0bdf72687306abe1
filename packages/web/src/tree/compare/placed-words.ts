/** A word that is seen on the page, and where. */
export interface PlacedWord {
  readonly word: string
  readonly node: Text
  readonly start: number
}

/** A run of words that stand together on the page. */
export interface WordRun {
  readonly node: Text
  readonly start: number
  readonly end: number
}

/** What is no word of the message: the labels of buttons and of code, and the copy of a formula that only screen readers have. */
const apart = 'button, figcaption, .katex-mathml, .visually-hidden'

/** The words of a drawn message, in their order. Its marks of Markdown are drawn, and no words any more. */
export function placedWords(element: Element): PlacedWord[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, node =>
    node.parentElement?.closest(apart) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  const words: PlacedWord[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const { 0: word, index: start } of (node as Text).data.matchAll(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu))
      words.push({ word, node: node as Text, start })
  return words
}

/** Some of the words of a message, those side by side as one run. */
export function runsOf(words: readonly PlacedWord[], chosen: ReadonlySet<number>): WordRun[] {
  const runs: { node: Text; start: number; end: number }[] = []
  for (const [i, { word, node, start }] of words.entries()) {
    if (!chosen.has(i)) continue
    const last = runs.at(-1)
    const end = start + word.length
    if (last?.node === node && chosen.has(i - 1)) last.end = end
    else runs.push({ node, start, end })
  }
  return runs
}
