import { TurnbuckleError } from '../base/errors.ts'
import { failed, failure } from './call-hook.ts'
import { Directive, type DirectiveType, isHard } from './directives.ts'
import type { HookEntry } from './hook-set.ts'
import { list, note } from './note-directive.ts'
import type { StageFrame } from './stage-frame.ts'

const guardMay: readonly DirectiveType[] = ['block', 'stop', 'fail']

/**
 * Takes what a hook returned. True when it ends the chain: `skip`, `block` and what ends the step do, `again` and
 * `finish` are only noted, so that a guard behind them is still asked.
 */
export function accept(frame: StageFrame, entry: HookEntry, returned: unknown): boolean {
  if (returned === undefined) return false
  const problem = misplaced(frame, entry, returned)
  if (problem) return refuse(frame, entry, problem)
  try {
    return take(frame, entry, returned as Directive)
  } catch (error) {
    // The stage cannot read the value as its result.
    return refuse(frame, entry, error)
  }
}

/** What was returned makes no sense: that is the hook's own failure. */
function refuse(frame: StageFrame, entry: HookEntry, problem: unknown): boolean {
  const instead = failure(frame, entry, problem)
  return instead ? take(frame, entry, instead) : false
}

function take(frame: StageFrame, entry: HookEntry, given: Directive): boolean {
  // Only calls have a blocked result: to block anything else is to stop.
  const refused = given.type === 'block' && !blockable(frame)
  const directive = refused ? new Directive('stop', given.reason, 'refused') : given
  const { type } = directive
  if (type === 'skip' || type === 'block' || type === 'replace') return settle(frame, entry, directive)
  note(frame, directive, entry.owner.name, entry.at)
  // What happened is recorded in any case, but for a guard's no: whoever stands behind is still asked.
  if (!isHard(type) || (frame.stage.required && !entry.owner.guard)) return false
  if (entry.point === 'before') frame.result = endUnrun(frame, directive)
  return true
}

/** The stage was ended before it ran: skipped, but for `fail`. Gives its result: a call has one in any case. */
export function endUnrun(frame: StageFrame, directive: Directive): unknown {
  frame.status = directive.type === 'fail' ? 'failed' : 'skipped'
  if (directive.type === 'fail') frame.error = directive.value
  return unrun(frame, directive)
}

function unrun({ stage, input }: StageFrame, { type, reason }: Directive): unknown {
  const told = type === 'stop' || type === 'fail' ? reason : undefined
  const result = { status: 'blocked', value: told ?? 'The call was not run.' }
  if (stage.name === 'tools') return (input as unknown[]).map(() => result)
  return stage.name === 'tool' ? result : undefined
}

/** The stage's result is what the hook says: instead of running it, or after it ran. */
function settle(frame: StageFrame, entry: HookEntry, directive: Directive): boolean {
  const { read } = frame.stage
  if (directive.type === 'block') frame.result = blocked(frame, entry, directive)
  else frame.result = read ? read(directive.value, frame, directive.type) : directive.value
  const decision = list(frame, directive, entry.owner.name, entry.at)
  decision.won = true
  if (frame.decided) frame.decided.won = false
  frame.decided = decision
  if (directive.type === 'replace') {
    if (frame.status === 'failed') frame.status = 'done'
    return false
  }
  // An after hook gets here only as a guard that failed: the result is withheld.
  if (entry.point !== 'after') frame.status = 'skipped'
  return true
}

const blockable = (frame: StageFrame): boolean => frame.stage.name === 'tool' || frame.stage.name === 'tools'

/** A person's no is `denied`, a rule's is `blocked`. */
function blocked(frame: StageFrame, entry: HookEntry, directive: Directive): unknown {
  const status = directive.value === 'denied' || frame.deniedTo === entry.owner.name ? 'denied' : 'blocked'
  const result = { status, value: directive.reason }
  return frame.stage.name === 'tools' ? (frame.input as unknown[]).map(() => result) : result
}

/** Why a returned value makes no sense here, or nothing. */
export function misplaced(frame: StageFrame, entry: HookEntry, returned: unknown): TurnbuckleError | undefined {
  const where = `${entry.at} of "${entry.owner.name}"`
  if (!(returned instanceof Directive))
    return new TurnbuckleError(
      'directive.unknown',
      `${where} returned ${describe(returned)}. Return nothing, or a directive: skip, block, replace, stop, again, finish, goto, rewind, fail.`,
    )
  if (returned.value === failed) return undefined
  const { type } = returned
  const hint =
    entry.owner.guard && !guardMay.includes(type)
      ? 'A guard may only block, stop or fail.'
      : hintFor(frame, entry, type)
  return hint
    ? new TurnbuckleError('directive.misplaced', `${where} returned ${type}, which makes no sense there. ${hint}`)
    : undefined
}

function hintFor(frame: StageFrame, entry: HookEntry, type: DirectiveType): string | undefined {
  const { name } = frame.stage
  const after = entry.point === 'after' || entry.at === 'onError'
  if ((type === 'skip' || type === 'block') && after) return 'The stage has run: use replace or stop.'
  if (type === 'replace' && entry.point === 'before') return 'The stage has not run yet: use skip.'
  if ((type === 'skip' || type === 'block') && frame.stage.required)
    return 'What happened is recorded: change ctx.message instead, or stop.'
  if (name === 'turn' && after && type !== 'replace' && type !== 'fail') return 'The turn is over: use afterDecide.'
  if ((type === 'goto' || type === 'rewind') && (name === 'turn' || name === 'input')) return 'No step has begun yet.'
  return undefined
}

const describe = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'object' ? 'an object' : `${typeof value} ${String(value)}`
