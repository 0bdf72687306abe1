import type { ShownChunk } from '../core/hooks/hook-types.ts'
import { type Flowing, isFlowing } from './flowing.ts'

/** The end of a part within a text, with the provider's own data for that part. */
interface PartEnd {
  /** Characters of the text before it. */
  readonly at: number
  readonly closing: Pick<Flowing, 'meta' | 'end'>
}

/** Text of one kind that is held back, with the ends of parts in it. */
export interface HeldText {
  readonly type: Flowing['type']
  readonly text: string
  readonly ends: readonly PartEnd[]
}

export const nothingHeld: HeldText = { type: 'text', text: '', ends: [] }

/** Splits what is held and a chunk into what is looked at now and what is held on. `cutAt`: how much of a text may go. */
export function splitHeld(held: HeldText, chunk: ShownChunk, cutAt: (text: string, isEnd: boolean) => number) {
  if (!isFlowing(chunk)) return { shown: held, rest: { ...nothingHeld, type: held.type } }
  const { type, text, meta, end } = chunk
  const closing = { ...(meta === undefined ? {} : { meta }), ...(end && { end }) }
  const isEnd = meta !== undefined || end === true
  const endAt = (at: number): readonly PartEnd[] => (isEnd ? [{ at, closing }] : [])
  if (type !== held.type) return { shown: held, rest: { type, text, ends: endAt(text.length) } }
  const all = held.text + text
  const ends = [...held.ends, ...endAt(all.length)]
  const cut = cutAt(all, isEnd)
  return {
    shown: { type, text: all.slice(0, cut), ends: ends.filter(({ at }) => at <= cut) },
    rest: {
      type,
      text: all.slice(cut),
      ends: ends.filter(({ at }) => at > cut).map(({ at, closing }) => ({ at: at - cut, closing })),
    },
  }
}

/** Held text as chunks again, one for each part. */
export function heldChunks({ type, text, ends }: HeldText): Flowing[] {
  const starts = [0, ...ends.map(({ at }) => at)]
  const parts = ends.map(({ at, closing }, i): Flowing => ({ type, text: text.slice(starts[i], at), ...closing }))
  const last = text.slice(starts.at(-1))
  return last ? [...parts, { type, text: last }] : parts
}
