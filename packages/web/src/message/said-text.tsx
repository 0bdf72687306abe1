import { type ReactNode, useMemo, useState } from 'react'
import { countLines, isLongPaste } from '../files/fold-paste.ts'
import { chunkCode } from '../highlight/paint-code.ts'
import { useGrowingCount } from './use-growing-count.ts'

/** Lines and characters that are shown of a folded text. */
const [firstLines, firstCharacters] = [12, 1200]

/** The text of a person as it was written. One that the message box would fold as a paste is folded to its beginning here too. */
export function SaidText({ text }: { readonly text: string }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  if (!isLongPaste(text)) return <Written text={text} />
  return (
    <>
      <Written text={isWhole ? text : beginningOf(text)} />
      <button type="button" className="link fold" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : `Show all ${sizeOf(text)}`}
      </button>
    </>
  )
}

const beginningOf = (text: string): string =>
  `${text.slice(0, firstCharacters).split('\n', firstLines).join('\n').trimEnd()} …`

function sizeOf(text: string): string {
  const lines = countLines(text)
  return lines > firstLines ? `${lines.toLocaleString()} lines` : `${text.length.toLocaleString()} characters`
}

/** A long text is drawn in chunks of lines, over several tasks. */
function Written({ text }: { readonly text: string }): ReactNode {
  const chunks = useMemo(() => chunkCode(text), [text])
  const shown = useGrowingCount(chunks.length)
  return (
    <p className="said">
      {chunks.length === 1
        ? text
        : chunks.slice(0, shown).map((chunk, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: chunks of one text, in their order
            <span key={i} className="said-chunk">
              {chunk || '\n'}
            </span>
          ))}
    </p>
  )
}
