import { isInterrupted, messageOf, TurnbuckleError } from '../base/errors.ts'
import { nest } from '../base/nesting-depth.ts'
import { isThenable } from '../base/ports.ts'
import { Directive, fail } from './directives.ts'
import type { HookEntry } from './hook-set.ts'
import { traceHook } from './record-spans.ts'
import type { StageFrame } from './stage-frame.ts'

/**
 * How a failing hook counts, by point, unless its middleware says otherwise:
 *
 * | | before, wrap | after, onChunk, onEvent, onError |
 * |---|---|---|
 * | guard | closed: the call is blocked, or the turn fails | closed: the same; the chunk is withheld |
 * | other | closed: its stage fails | open: reported, the loop goes on |
 */
const failsClosed = (entry: HookEntry): boolean => {
  const { guard, onFailure } = entry.owner
  if (guard) return true
  return onFailure ? onFailure === 'closed' : entry.point === 'before' || entry.point === 'wrap'
}

/** Calls one hook. Gives what it returned, or what its failure amounts to; rejects or throws only on an interrupt or a closed failure. */
export function invoke(frame: StageFrame, entry: HookEntry, news?: unknown): unknown {
  const done = frame.turn.tracing ? traceHook(frame, entry) : undefined
  const returned = call(frame, entry, news, done)
  return isThenable(returned) ? settled(frame, entry, uncut(frame, returned), done) : returned
}

/** The same for one of a chain that as a whole waits no longer than until an interrupt. Gives what `take` makes of it. */
export function invokeInChain(frame: StageFrame, entry: HookEntry, take: Take): unknown {
  const done = frame.turn.tracing ? traceHook(frame, entry) : undefined
  const returned = call(frame, entry, undefined, done)
  return isThenable(returned) ? settled(frame, entry, returned, done, take) : take(frame, entry, returned)
}
type Take = (frame: StageFrame, entry: HookEntry, returned: unknown) => boolean

function call(frame: StageFrame, entry: HookEntry, news: unknown, done: Done): unknown {
  let returned: unknown
  const outer = nest(frame.turn.depth + 1)
  try {
    returned = entry.point === 'on' ? entry.fn(news, frame.context(entry)) : entry.fn(frame.context(entry))
  } catch (error) {
    done?.(undefined, error)
    return failure(frame, entry, error)
  } finally {
    nest(outer)
  }
  if (done && !isThenable(returned)) done(returned)
  return returned
}

/** Waits until an interrupt comes; after one, until the deadline. */
export const uncut = <Value>({ turn }: StageFrame, promise: PromiseLike<Value>): Promise<Value> =>
  turn.interrupted ? turn.cleanup.race(promise) : turn.waits.race(promise)

type Done = ((returned: unknown, error?: unknown) => void) | undefined

async function settled(
  frame: StageFrame,
  entry: HookEntry,
  promise: PromiseLike<unknown>,
  done: Done,
  take?: Take,
): Promise<unknown> {
  const { timeout } = entry.owner
  let returned: unknown
  try {
    returned = await (timeout === undefined ? promise : withTimeout(frame, entry, promise, timeout))
    done?.(returned)
  } catch (error) {
    done?.(undefined, error)
    returned = failure(frame, entry, error)
  }
  return take ? take(frame, entry, returned) : returned
}

function withTimeout(frame: StageFrame, entry: HookEntry, promise: PromiseLike<unknown>, ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const cancel = frame.turn.clock.after(ms, () => reject(tookTooLong(entry.owner.name, ms)))
    Promise.resolve(promise).then(resolve, reject).finally(cancel)
  })
}

export const tookTooLong = (name: string, ms: number): TurnbuckleError =>
  new TurnbuckleError('hook.timeout', `"${name}" took longer than ${ms} ms.`)

/** Marks the directive that a failure amounts to: it is in place everywhere, also where a hook could not have returned it. */
export const failed: unique symbol = Symbol('failed')

/** What a failure amounts to: a directive, nothing, or a throw that fails the stage. */
export function failure(frame: StageFrame, entry: HookEntry, error: unknown): Directive | undefined {
  if (frame.turn.interrupted && isInterrupted(error)) throw error
  const { name } = entry.owner
  const hookError = asHookError(error, entry)
  frame.turn.emit({ type: 'hook.failed', name, point: entry.at, error: messageOf(error) })
  if (!failsClosed(entry)) return undefined
  if (!entry.owner.guard && entry.point !== 'after' && entry.point !== 'on') throw hookError
  const blocks = frame.stage.name === 'tool' || (frame.stage.name === 'tools' && entry.point === 'before')
  if (!blocks) return fail(hookError)
  return new Directive('block', `${entry.owner.guard ? 'Guard ' : ''}"${name}" failed: ${messageOf(error)}`, failed)
}

const asHookError = (error: unknown, entry: HookEntry): TurnbuckleError =>
  new TurnbuckleError('hook.failed', `"${entry.owner.name}" failed in ${entry.at}: ${messageOf(error)}`, {
    cause: error,
    kind: 'hook',
    by: entry.owner.name,
    at: entry.at,
  })
