import { noteOnce } from '../base/developer-note.ts'
import { isInterrupted, messageOf, TurnbuckleError } from '../base/errors.ts'
import type { ToolResult } from '../base/message.ts'
import { nest } from '../base/nesting-depth.ts'
import { isThenable } from '../base/ports.ts'
import { Directive, fail, hasRun, stop } from '../directives/directives.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { beginHookSpan, type HookSpan } from './begin-stage-span.ts'
import { explainFrozen } from './explain-frozen.ts'
import type { HookEntry } from './hook-set.ts'

/**
 * The effect of a failing hook, by point, unless its middleware sets `onFailure`:
 *
 * | | before, wrap | after, onChunk, onEvent, onError |
 * |---|---|---|
 * | guard | closed: the call is blocked, or the turn fails | closed: the same; the chunk is withheld |
 * | other | closed: its stage fails | open: reported, the loop goes on |
 *
 * With `errors: { hook: 'ignore' }` the agent's hooks other than guards fail open everywhere: as if the failing hook were not there.
 */
const failsClosed = ({ turn }: StageFrame, entry: HookEntry): boolean => {
  const { guard, onFailure } = entry.owner
  if (guard) return true
  if (onFailure) return onFailure === 'closed'
  return turn.agent.errors.hook !== 'ignore' && (entry.point === 'before' || entry.point === 'wrap')
}

/**
 * Calls one hook. Gives what it returned, or the directive its failure amounts to; a promise of that for a hook that is waited for.
 * Throws, or rejects, only on an interrupt or a closed failure.
 */
export function callHook(frame: StageFrame, entry: HookEntry, news?: unknown): unknown {
  const span = frame.turn.traced ? beginHookSpan(frame, entry) : undefined
  let called: unknown
  try {
    called = enterHook(frame, entry, news, span)
  } catch (error) {
    return fallBack(frame, entry, span, error)
  }
  if (isThenable(called)) return untilReturned(frame, entry, news, span, called)
  if (span) endSpan(span, frame, entry, news, called)
  return called
}

/** Ends the span of a hook that has returned. What it returned in place of a chunk, or of the stage's result, is a change. */
function endSpan(span: HookSpan, frame: StageFrame, entry: HookEntry, news: unknown, returned: unknown): void {
  const replaces = returned instanceof Directive && returned.type === 'replace' && !frame.stage.required
  if (replaces) span.changes.note('result', frame.result, returned.value)
  const isChunk = entry.at === 'onChunk' && returned !== undefined && !(returned instanceof Directive)
  if (isChunk) span.changes.note('chunk', news, returned)
  span.end(returned)
}

function fallBack(
  frame: StageFrame,
  entry: HookEntry,
  span: HookSpan | undefined,
  error: unknown,
): Directive | undefined {
  span?.end(undefined, error)
  return failureOf(frame, entry, error)
}

async function untilReturned(
  frame: StageFrame,
  entry: HookEntry,
  news: unknown,
  span: HookSpan | undefined,
  called: PromiseLike<unknown>,
): Promise<unknown> {
  const { silentHooks } = frame.turn.time
  const awaited = silentHooks.watch(frame, entry)
  try {
    const returned = await withinLimits(frame, entry, called)
    if (span) endSpan(span, frame, entry, news, returned)
    return returned
  } catch (error) {
    return fallBack(frame, entry, span, error)
  } finally {
    silentHooks.answered(awaited)
  }
}

function enterHook(frame: StageFrame, entry: HookEntry, news: unknown, span: HookSpan | undefined): unknown {
  const outer = nest(frame.turn.depth + 1)
  try {
    const ctx = frame.turn.agent.contextFor(frame, entry, undefined, undefined, span?.changes)
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

/** The directive that a hook's failure amounts to: it is accepted everywhere, also where a hook could not have returned it. */
export class HookFailure extends Directive {}

/**
 * The directive that a hook's failure amounts to; nothing where it fails open; throws where it fails the stage. `ran`: the stage has run,
 * so that its result is withheld, and nobody is told that it was blocked. A hook whose own model call was stopped has not failed: it
 * repeats the directive that stopped the call, and a guard lets nothing through meanwhile.
 */
export function failureOf(
  frame: StageFrame,
  entry: HookEntry,
  thrown: unknown,
  ran: boolean = hasRun(entry),
): Directive | undefined {
  const { turn } = frame
  // A before hook that the end of its turn cuts off has not failed; its stage is cut off with it.
  if (isInterrupted(thrown) && (turn.interrupted || (turn.over && entry.point === 'before'))) throw thrown
  const error = explainFrozen(frame, entry, thrown)
  const { name, guard } = entry.owner
  const wasStopped = frame.stoppedHook === entry
  if (!wasStopped) tellFailure(frame, entry, error)
  if (!failsClosed(frame, entry)) return undefined
  const blocks = frame.stage.failureBlocks?.(entry.point)
  if (wasStopped && !(guard && blocks)) return repeatHalt(frame, error)
  const hookError = asHookError(error, entry)
  if (!guard && entry.point !== 'after' && entry.point !== 'on') throw hookError
  if (!blocks) return fail(hookError)
  const reason = `${guard ? 'Guard ' : ''}"${name}" failed: ${messageOf(error)}`
  return ran && frame.status !== 'skipped'
    ? new HookFailure('replace', reason, withheldBy(reason))
    : new HookFailure('block', reason)
}

/** The directive that halts the turn once more, for a hook that it has stopped. A failure is told of once: its repetition only stops. */
function repeatHalt({ turn }: StageFrame, error: unknown): HookFailure {
  const { type, reason, value, say } = turn.haltedBy?.directive ?? stop(messageOf(error))
  return type === 'fail' ? new HookFailure('stop', reason) : new HookFailure(type, reason, value, say)
}

function tellFailure({ turn }: StageFrame, { owner, at }: HookEntry, error: unknown): void {
  const text = messageOf(error)
  turn.tell({ type: 'hook.failed', name: owner.name, point: at, error: turn.hooks.clean(text) })
  noteOnce(owner, at, () => `${at} of "${owner.name}" failed: ${messageOf(error)}`)
}

const withheldBy = (reason: string): ToolResult => ({ status: 'error', value: `The result is withheld. ${reason}` })

const asHookError = (error: unknown, entry: HookEntry): TurnbuckleError =>
  new TurnbuckleError('hook.failed', `"${entry.owner.name}" failed in ${entry.at}: ${messageOf(error)}`, {
    cause: error,
    kind: 'hook',
    by: entry.owner.name,
    at: entry.at,
  })
