import type { Entry } from './hooks.ts'
import { isPromise } from './ports.ts'

export type Wait = void | Promise<void>

/** Calls `visit` on each hook in turn, waiting only where it must, until one says that was the last. */
export function each(list: readonly Entry[], visit: (entry: Entry) => unknown, from = 0): Wait {
  for (let i = from; i < list.length; i++) {
    const last = visit(list[i] as Entry)
    if (isPromise(last)) return last.then(ended => (ended ? undefined : each(list, visit, i + 1)))
    if (last) return
  }
}
