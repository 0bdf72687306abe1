import type { Piece } from './paint-code.ts'

/** The coloured lines of a chunk of code. */
export interface PaintedChunk {
  readonly text: string
  readonly lines: readonly (readonly Piece[])[]
}

/** From the page to the worker: some chunks of a block from the first changed one on, or that the block is gone. */
export interface PaintOrder {
  readonly block: number
  readonly grammar: string
  readonly from: number
  readonly chunks: readonly string[] | undefined
}

/** From the worker to the page: the painted chunks of an order. */
export interface PaintAnswer {
  readonly block: number
  readonly from: number
  readonly painted: readonly PaintedChunk[]
}
