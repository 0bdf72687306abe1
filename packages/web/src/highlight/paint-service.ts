import { type CodePainter, createCodePainter, type Highlight } from './paint-code.ts'
import type { PaintAnswer, PaintOrder } from './paint-messages.ts'

interface Block {
  readonly painter: CodePainter
  chunks: readonly string[]
}

/** Carries out paint orders. A block keeps its painter until the page says that it is gone. */
export function createPaintService(
  load: (grammar: string) => Promise<Highlight>,
  answer: (answer: PaintAnswer) => void,
): (order: PaintOrder) => Promise<void> {
  const blocks = new Map<number, Block>()
  return async ({ block: id, grammar, from, chunks }) => {
    if (!chunks) {
      blocks.delete(id)
      return
    }
    const highlight = await load(grammar)
    const block = blocks.get(id) ?? { painter: createCodePainter(highlight), chunks: [] }
    blocks.set(id, block)
    block.chunks = [...block.chunks.slice(0, from), ...chunks]
    const painted = block.painter.paint(block.chunks, chunks.length).slice(from)
    answer({ block: id, from, painted: painted.map(({ text, lines }) => ({ text, lines })) })
  }
}
