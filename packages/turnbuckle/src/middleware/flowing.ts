import type { Chunk } from '../core/base/ports.ts'
import type { ShownChunk } from '../core/hooks/hook-types.ts'

/** Words that come piece by piece. */
export type Flowing = Extract<Chunk, { type: 'text' | 'reasoning' }>

export const isFlowing = (chunk: ShownChunk): chunk is Flowing => chunk.type === 'text' || chunk.type === 'reasoning'

const beside: readonly string[] = ['usage', 'finish', 'warning']

/** Whether a chunk is part of what is said. The others come beside it, and end nothing that flows. */
export const isSaid = (chunk: ShownChunk): boolean => !beside.includes(chunk.type)
