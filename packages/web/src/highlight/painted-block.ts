import type { PaintAnswer, PaintedChunk, PaintOrder } from './paint-messages.ts'

/** The way to the worker that colours code. */
export interface PaintPort {
  send(order: PaintOrder): void
  /** Gives the answers to orders of a block to `receive`; the returned function ends that. */
  listen(block: number, receive: (answer: PaintAnswer) => void): () => void
}

export interface PaintedBlock {
  /** Has the chunks coloured that differ from those shown before, some at a time: one order is under way. */
  show(chunks: readonly string[]): void
  close(): void
}

let last = 0
/** Chunks per order: so many are drawn by the page in one task. */
const perOrder = 3

/** A block of code on the page that is coloured by the worker, also while it grows. */
export function createPaintedBlock(
  port: PaintPort,
  grammar: string,
  changed: (painted: readonly PaintedChunk[]) => void,
): PaintedBlock {
  const block = ++last
  let painted: readonly PaintedChunk[] = []
  let wanted: readonly string[] = []
  let busy = false
  const order = () => {
    const same = wanted.findIndex((text, i) => text !== painted[i]?.text)
    const from = same < 0 ? wanted.length : same
    if (busy || from === wanted.length) return
    busy = true
    port.send({ block, grammar, from, chunks: wanted.slice(from, from + perOrder) })
  }
  const stop = port.listen(block, answer => {
    painted = [...painted.slice(0, answer.from), ...answer.painted]
    changed(painted)
    busy = false
    order()
  })
  return {
    show(chunks) {
      wanted = chunks
      order()
    },
    close() {
      stop()
      port.send({ block, grammar, from: 0, chunks: undefined })
    },
  }
}
