import type { PaintAnswer, PaintedChunk, PaintOrder } from './paint-messages.ts'

/** The way to the worker that colours code. */
export interface PaintPort {
  send(order: PaintOrder): void
  /** Gives the answers to orders of a block to `receive`; the returned function ends that. */
  listen(block: number, receive: (answer: PaintAnswer) => void): () => void
}

export interface PaintedBlock {
  /** Has the chunks coloured that differ from those shown before. One order is under way at a time. */
  show(chunks: readonly string[]): void
  close(): void
}

let last = 0

/** A block of code on the page that is coloured by the worker, also while it grows. */
export function createPaintedBlock(
  port: PaintPort,
  grammar: string,
  changed: (painted: readonly PaintedChunk[]) => void,
): PaintedBlock {
  const block = ++last
  let painted: readonly PaintedChunk[] = []
  let wanted: readonly string[] = []
  let sent: readonly string[] = []
  let busy = false
  const order = () => {
    const same = wanted.findIndex((text, i) => text !== sent[i])
    const from = same < 0 ? wanted.length : same
    if (busy || from === wanted.length) return
    busy = true
    sent = wanted
    port.send({ block, grammar, from, chunks: wanted.slice(from) })
  }
  const stop = port.listen(block, answer => {
    painted = [...painted.slice(0, answer.from), ...answer.painted]
    changed(painted)
    if (!answer.done) return
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
