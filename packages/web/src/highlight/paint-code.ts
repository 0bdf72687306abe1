/** A piece of a line of code. Its kind, such as `keyword` or `string`, decides its colour. */
export interface Piece {
  readonly text: string
  readonly kind?: string
}

/** Colours whole lines. `before` is the state that the lines above have left, as with an open comment. */
export type Highlight = (
  text: string,
  before: unknown,
) => { readonly lines: readonly (readonly Piece[])[]; readonly after: unknown }

interface Painted {
  readonly text: string
  readonly lines: readonly (readonly Piece[])[]
  readonly after: unknown
}

export interface CodePainter {
  /**
   * The coloured lines of the first chunks. Chunks that were coloured before are kept, and at most `most` others are
   * coloured, so that no task takes long: the caller paints again until it has all.
   */
  paint(chunks: readonly string[], most: number): readonly Painted[]
}

/** Colours a block of code chunk by chunk while it grows. */
export function createCodePainter(highlight: Highlight): CodePainter {
  let known: readonly Painted[] = []
  return {
    paint(chunks, most) {
      const same = known.findIndex(({ text }, i) => text !== chunks[i])
      const painted = same < 0 ? known.slice(0, chunks.length) : known.slice(0, same)
      for (const text of chunks.slice(painted.length, painted.length + most))
        painted.push({ text, ...highlight(text, painted.at(-1)?.after) })
      known = painted
      return painted
    },
  }
}

const linesOfChunk = 40
const lengthOfChunk = 3000

/** Cuts code into chunks of whole lines, without the line break between two chunks. */
export function chunkCode(text: string): string[] {
  const chunks: string[] = []
  let chunk: string[] = []
  let length = 0
  for (const line of text.split('\n')) {
    if (chunk.length === linesOfChunk || (chunk.length && length + line.length > lengthOfChunk)) {
      chunks.push(chunk.join('\n'))
      chunk = []
      length = 0
    }
    chunk.push(line)
    length += line.length + 1
  }
  chunks.push(chunk.join('\n'))
  return chunks
}
