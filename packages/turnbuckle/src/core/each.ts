import type { Entry } from './hooks.ts'
import { isPromise } from './ports.ts'

export type Wait = void | Promise<void>

/** Calls `visit` on each hook in turn, waiting only where it must, until one says that was the last. */
export function each(list: readonly Entry[], visit: (entry: Entry) => unknown): Wait {
  for (let i = 0; i < list.length; i++) {
    const last = visit(list[i] as Entry)
    if (isPromise(last)) return rest(list, visit, i, last)
    if (last) return
  }
}

async function rest(
  list: readonly Entry[],
  visit: (entry: Entry) => unknown,
  index: number,
  first: Promise<unknown>,
): Promise<void> {
  if (await first) return
  for (let i = index + 1; i < list.length; i++) {
    const last = visit(list[i] as Entry)
    if (isPromise(last) ? await last : last) return
  }
}
