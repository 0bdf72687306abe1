import type { Span } from 'turnbuckle'
import type { WireChange } from 'turnbuckle/client'

const longest = 8000

/** The part of a hook's change that differs before and after; none where both are alike. */
export function differences({ what, before, after }: NonNullable<Span['changed']>[number]): WireChange[] {
  const [from, to] = what === 'messages' ? parted(before, after) : narrowed(before, after)
  const [was, is] = [text(from), text(to)]
  return was === is ? [] : [{ what, before: clipped(was), after: clipped(is) }]
}

interface Link {
  readonly message: unknown
  readonly parent: Link | undefined
  readonly depth: number
}

/** The messages of two paths from where they part. */
function parted(before: unknown, after: unknown): [unknown[], unknown[]] {
  let [a, b] = [before as Link | undefined, after as Link | undefined]
  const [old, young]: [unknown[], unknown[]] = [[], []]
  while (a !== b) {
    if (a && (!b || a.depth >= b.depth)) {
      old.unshift(a.message)
      a = a.parent
    } else if (b) {
      young.unshift(b.message)
      b = b.parent
    }
  }
  return [old, young]
}

type Members = Record<string, unknown>

const isRecord = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of two objects that are not the same. */
function narrowed(before: unknown, after: unknown): [unknown, unknown] {
  if (!isRecord(before) || !isRecord(after)) return [before, after]
  const [old, young]: [Members, Members] = [{}, {}]
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [a, b] = between(before[key], after[key])
    if (a === b) continue
    old[key] = a
    young[key] = b
  }
  return [old, young]
}

/** The middles of two lists, without their common beginning and end. */
function between(before: unknown, after: unknown): readonly unknown[] {
  // Two prompts of one path have one list of messages: a long one is not gone through.
  if (before === after) return []
  if (!Array.isArray(before) || !Array.isArray(after)) return [before, after]
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const parts = [before, after].map(list => list.slice(start, list.length - end))
  return parts.some(({ length }) => length) ? parts : []
}

function text(value: unknown): string {
  if (value === undefined) return ''
  try {
    return JSON.stringify(value, undefined, 2) ?? String(value)
  } catch {
    return String(value)
  }
}
const clipped = (json: string): string =>
  json.length > longest ? `${json.slice(0, longest)}\n… ${json.length - longest} characters more` : json
