import type { Part } from '../base/message.ts'

type Flowing = Extract<Part, { type: 'text' | 'reasoning' }>
const isFlowing = (part: Part): part is Flowing => part.type === 'text' || part.type === 'reasoning'

/**
 * The parts of a reply without needless borders: text that goes on in a further part of its kind is one part with it, unless either has
 * data of the provider's, which belongs to its own words alone. Sources between them come behind. The list itself where that is nothing.
 */
export function joinTexts(content: readonly Part[]): readonly Part[] {
  if (content.length < 2) return content
  const joined: Part[] = []
  let open: { readonly part: Flowing; readonly at: number } | undefined
  for (const part of content) {
    if (open && isFlowing(part) && part.type === open.part.type && part.meta === undefined) {
      open = { part: { ...open.part, text: open.part.text + part.text }, at: open.at }
      joined[open.at] = open.part
      continue
    }
    joined.push(part)
    if (isFlowing(part)) open = part.meta === undefined ? { part, at: joined.length - 1 } : undefined
    else if (part.type !== 'source') open = undefined
  }
  return joined.length === content.length ? content : joined
}
