import { type Editor, insert } from './editor.ts'

/** Lines from which on a paste stands folded in the input. */
const foldedFrom = 10
const foldedCharacters = 2000

/** Inserts a paste; a long one as a mark, `[pasted 500 lines]`, which is unfolded when the text is sent. */
export function foldPaste(editor: Editor, pasted: string): Editor {
  const lines = pasted.replace(/\n$/, '').split('\n').length
  if (lines < foldedFrom && pasted.length < foldedCharacters) return insert(editor, pasted)
  const taken = editor.folded.size
  const mark = `[pasted ${lines} ${lines === 1 ? 'line' : 'lines'}${taken ? ` #${taken + 1}` : ''}]`
  return { ...insert(editor, mark), folded: new Map([...editor.folded, [mark, pasted]]) }
}

/** The text with every folded paste in full. */
export const unfoldPastes = ({ text, folded }: Pick<Editor, 'text' | 'folded'>): string =>
  [...folded].reduce((whole, [mark, pasted]) => whole.split(mark).join(pasted), text)
