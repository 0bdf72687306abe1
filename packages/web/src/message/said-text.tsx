import { type ReactNode, useMemo } from 'react'
import { chunkCode } from '../highlight/paint-code.ts'
import { useGrowingCount } from './use-growing-count.ts'

/** The text of a person as it was written. A long paste is drawn in chunks of lines, over several tasks. */
export function SaidText({ text }: { readonly text: string }): ReactNode {
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
