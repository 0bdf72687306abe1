import { useEffect, useRef, useState } from 'react'
import { grammarName } from './code-languages.ts'
import type { PaintedChunk } from './paint-messages.ts'
import { paintPort } from './paint-port.ts'
import { createPaintedBlock, type PaintedBlock } from './painted-block.ts'

const none: readonly PaintedChunk[] = []

/** The coloured lines of a block of code, chunk by chunk as far as they are coloured. */
export function usePaintedCode(chunks: readonly string[], language: string): readonly PaintedChunk[] {
  const grammar = grammarName(language)
  const [painted, setPainted] = useState(none)
  const block = useRef<PaintedBlock>(undefined)
  useEffect(() => {
    if (grammar === undefined) return
    const opened = createPaintedBlock(paintPort(), grammar, setPainted)
    block.current = opened
    return () => {
      opened.close()
      setPainted(none)
    }
  }, [grammar])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a block of another grammar has to show its chunks anew
  useEffect(() => block.current?.show(chunks), [chunks, grammar])
  return painted
}
