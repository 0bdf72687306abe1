import { memo, type ReactNode, useMemo } from 'react'
import { chunkCode, type Piece } from '../highlight/paint-code.ts'
import type { PaintedChunk } from '../highlight/paint-messages.ts'
import { usePaintedCode } from '../highlight/use-painted-code.ts'

/** Lines of code, in one colour until they are highlighted. */
export function Code({ text, language }: { readonly text: string; readonly language: string }): ReactNode {
  const chunks = useMemo(() => chunkCode(text), [text])
  const painted = usePaintedCode(chunks, language)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard
    <pre tabIndex={0}>
      <code data-painted={painted.length}>
        {chunks.map((chunk, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: chunks of one text, in their order
          <Chunk key={i} text={chunk} painted={painted[i]} />
        ))}
      </code>
    </pre>
  )
}

interface ChunkProps {
  readonly text: string
  /** The chunk as it was painted last, which may be before its newest lines came. */
  readonly painted: PaintedChunk | undefined
}

/** The browser lays out only chunks in view. Each takes the room of its lines beforehand, so that nothing moves. */
const Chunk = memo(function Chunk({ text, painted }: ChunkProps): ReactNode {
  const lines = text.split('\n')
  const before = painted?.text.split('\n') ?? []
  return (
    <span className="code-chunk" style={{ containIntrinsicHeight: `calc(${lines.length} * 1lh)` }}>
      {painted
        ? lines.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text, in their order
            <Line key={i} line={line === before[i] ? painted.lines[i] : undefined} text={line} />
          ))
        : `${text}\n`}
    </span>
  )
})

/** A line that is not coloured yet is one text with its line break: a break of its own would shift with each letter before it. */
function Line({ line, text }: { readonly line: readonly Piece[] | undefined; readonly text: string }): ReactNode {
  if (!line) return `${text}\n`
  return (
    <>
      {line.map(({ text: piece, kind }, i) =>
        kind ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line, in their order
          <span key={i} className={`hl-${kind}`}>
            {piece}
          </span>
        ) : (
          piece
        ),
      )}
      {'\n'}
    </>
  )
}
