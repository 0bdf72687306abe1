import type { Chunk } from '../core/base/ports.ts'
import type { ShownChunk } from '../core/hooks/hook-types.ts'

/** Words that come piece by piece. */
export type Flowing = Extract<Chunk, { type: 'text' | 'reasoning' }>

export const isFlowing = (chunk: ShownChunk): chunk is Flowing => chunk.type === 'text' || chunk.type === 'reasoning'

const beside: readonly string[] = ['start', 'usage', 'finish', 'warning']

/** True for a chunk of the reply. The others (usage, warnings …) come beside it, and do not end a text that flows. */
export const isSaid = (chunk: ShownChunk): boolean => !beside.includes(chunk.type)

/** The end of an attempt of which nothing more is shown: what was held back of it need not be looked at. */
export const isLost = (chunk: ShownChunk): boolean => chunk.type === 'end' && chunk.lost === true
