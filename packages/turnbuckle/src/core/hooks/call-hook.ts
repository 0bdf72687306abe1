import { isInterrupted, messageOf, TurnbuckleError } from '../base/errors.ts'
import { nest } from '../base/nesting-depth.ts'
import { isThenable } from '../base/ports.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { beginHookSpan } from './begin-stage-span.ts'
import { Directive, fail } from './directives.ts'
import type { HookEntry } from './hook-set.ts'

/**
 * The effect of a failing hook, by point, unless its middleware sets `onFailure`:
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

/**
 * Calls one hook. Gives what it returned, or the directive its failure amounts to; a promise of that for a hook that is waited for.
 * Throws, or rejects, only on an interrupt or a closed failure.
 */
export function callHook(frame: StageFrame, entry: HookEntry, news?: unknown): unknown {
  const endSpan = frame.turn.traced ? beginHookSpan(frame, entry) : undefined
  let called: unknown
  try {
    called = enterHook(frame, entry, news)
  } catch (error) {
    return fallBack(frame, entry, endSpan, error)
  }
  if (isThenable(called)) return untilReturned(frame, entry, endSpan, called)
  endSpan?.(called)
  return called
}

type EndSpan = ReturnType<typeof beginHookSpan> | undefined

function fallBack(frame: StageFrame, entry: HookEntry, endSpan: EndSpan, error: unknown): Directive | undefined {
  endSpan?.(undefined, error)
  return failureOf(frame, entry, error)
}

function untilReturned(
  frame: StageFrame,
  entry: HookEntry,
  endSpan: EndSpan,
  called: PromiseLike<unknown>,
): Promise<unknown> {
  return withinLimits(frame, entry, called).then(
    returned => {
      endSpan?.(returned)
      return returned
    },
    error => fallBack(frame, entry, endSpan, error),
  )
}

function enterHook(frame: StageFrame, entry: HookEntry, news: unknown): unknown {
  const outer = nest(frame.turn.depth + 1)
  try {
    const ctx = frame.turn.agent.contextFor(frame, entry)
    return entry.point === 'on' ? entry.fn(news, ctx) : entry.fn(ctx)
  } finally {
    nest(outer)
  }
}

/** An interrupt ends the wait for a hook at once; a hook that runs after an interrupt has until the clean-up deadline. */
function withinLimits(frame: StageFrame, entry: HookEntry, called: PromiseLike<unknown>): Promise<unknown> {
  const { turn } = frame
  frame.onWait?.()
  const waiting = turn.interrupted ? turn.time.cleanup.race(called) : turn.time.waits.race(called)
  const { timeout, name } = entry.owner
  if (timeout === undefined) return waiting
  return new Promise((resolve, reject) => {
    const cancel = turn.time.clock.after(timeout, () => reject(hookTimeout(name, timeout)))
    waiting.then(resolve, reject).finally(cancel)
  })
}

export const hookTimeout = (name: string, ms: number): TurnbuckleError =>
  new TurnbuckleError('hook.timeout', `"${name}" took longer than ${ms} ms.`)

/** Marks the directive that a hook's failure amounts to: it is accepted everywhere, also where a hook could not have returned it. */
export const failureMark: unique symbol = Symbol('hook failure')

/** The directive that a hook's failure amounts to; nothing where it fails open; throws where it fails the stage. */
export function failureOf(frame: StageFrame, entry: HookEntry, error: unknown): Directive | undefined {
  const { turn } = frame
  // A before hook that the end of its turn cuts off has not failed; its stage is cut off with it.
  if (isInterrupted(error) && (turn.interrupted || (turn.over && entry.point === 'before'))) throw error
  const { name, guard } = entry.owner
  const hookError = asHookError(error, entry)
  turn.tell({ type: 'hook.failed', name, point: entry.at, error: messageOf(error) })
  if (!failsClosed(entry)) return undefined
  if (!guard && entry.point !== 'after' && entry.point !== 'on') throw hookError
  if (!frame.stage.failureBlocks?.(entry.point)) return fail(hookError)
  return new Directive('block', `${guard ? 'Guard ' : ''}"${name}" failed: ${messageOf(error)}`, failureMark)
}

const asHookError = (error: unknown, entry: HookEntry): TurnbuckleError =>
  new TurnbuckleError('hook.failed', `"${entry.owner.name}" failed in ${entry.at}: ${messageOf(error)}`, {
    cause: error,
    kind: 'hook',
    by: entry.owner.name,
    at: entry.at,
  })
