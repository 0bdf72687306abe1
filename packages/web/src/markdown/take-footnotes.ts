import { changeOutsideCode, splitFences } from './outside-code.ts'

export interface Footnote {
  /** Number of the note, from 1 on, in the order in which the text refers to the notes. */
  readonly number: number
  readonly text: string
}

const definition =
  /^ {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*(.*(?:\n(?!\s*\n|[ \t]*\[\^)[^\n]+|\n[ \t]*\n(?= {2,}\S)[^\n]*)*)\n?/gm
const reference = /\[\^([^\]\s]{1,100})\](?!:)/g

/**
 * Takes the footnotes out of a message's Markdown and puts links to `#note-1`, `#note-2` … in place of the references,
 * so that sections of the text can be drawn without the others. While the message is `live`, a reference stands for a
 * note that is still to come. Otherwise a reference without a note stays text.
 */
export function takeFootnotes(text: string, live: boolean): { readonly text: string; readonly notes: Footnote[] } {
  if (!text.includes('[^')) return { text, notes: [] }
  const written = new Map<string, string>()
  const body = splitFences(text)
    .map(run =>
      run.code
        ? run.text
        : run.text.replace(definition, (_, id: string, note: string) => {
            if (!written.has(id)) written.set(id, note.replace(/\n +/g, '\n'))
            return '\n'
          }),
    )
    .join('')
  const numbers = new Map<string, number>()
  const linked = changeOutsideCode(body, part =>
    part.replace(reference, (whole, id: string) => {
      if (!live && !written.has(id)) return whole
      const number = numbers.get(id) ?? numbers.size + 1
      numbers.set(id, number)
      return `[${number}](#note-${number})`
    }),
  )
  const notes = [...numbers].map(([id, number]) => ({ number, text: written.get(id) ?? '' }))
  return { text: linked, notes: notes.filter(note => note.text) }
}
