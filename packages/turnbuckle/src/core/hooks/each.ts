import { isPromise } from '../base/ports.ts'
import type { HookEntry } from './hook-set.ts'

export type Wait = void | Promise<void>

/**
 * Goes on with `next` once what is waited for is over. Most of the time that is nothing, and then nothing is made for it:
 * a function with a closure in it keeps its variables on the heap, also when it does not come to the closure. Hence this,
 * and the functions of their own for what comes later, along the way that every step takes.
 */
export const afterwards = <Subject, Result>(
  wait: Wait,
  next: (subject: Subject) => Result | Promise<Result>,
  subject: Subject,
): Result | Promise<Result> => (isPromise(wait) ? later(wait, next, subject) : next(subject))

const later = <Subject, Result>(
  wait: Promise<void>,
  next: (subject: Subject) => Result | Promise<Result>,
  subject: Subject,
): Promise<Result> => wait.then(() => next(subject))

/** Calls `visit` on each hook in turn, waiting only where it must, until one says that was the last. */
export function each(list: readonly HookEntry[], visit: (entry: HookEntry) => unknown): Wait {
  for (let i = 0; i < list.length; i++) {
    const last = visit(list[i] as HookEntry)
    if (isPromise(last)) return rest(list, visit, i, last)
    if (last) return
  }
}

async function rest(
  list: readonly HookEntry[],
  visit: (entry: HookEntry) => unknown,
  index: number,
  first: Promise<unknown>,
): Promise<void> {
  if (await first) return
  for (let i = index + 1; i < list.length; i++) {
    const last = visit(list[i] as HookEntry)
    if (isPromise(last) ? await last : last) return
  }
}
