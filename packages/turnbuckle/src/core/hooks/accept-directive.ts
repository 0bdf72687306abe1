import { TurnbuckleError } from '../base/errors.ts'
import type { ToolResult } from '../base/message.ts'
import { Directive, directiveNames, directiveTable, hasRun } from '../directives/directives.ts'
import { listDecision, noteDirective, redactDirective } from '../directives/note-directive.ts'
import { notRun, notRunBecause } from '../history/call-pairing.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { failureOf, HookFailure } from './call-hook.ts'
import type { HookEntry } from './hook-set.ts'

/**
 * Takes a hook's return value. True when it ends the chain of hooks: `skip`, `block` and hard directives do; `again` and
 * `finish` are only noted, so that a guard behind them is still asked.
 */
export function acceptDirective(frame: StageFrame, entry: HookEntry, returned: unknown): boolean {
  if (returned === undefined) return false
  const problem = misplacedBy(frame, entry, returned)
  if (problem) return acceptFailure(frame, entry, problem)
  try {
    return take(frame, entry, returned as Directive)
  } catch (error) {
    // The stage cannot read the directive's value as its result.
    return acceptFailure(frame, entry, error)
  }
}

/** A return value that makes no sense is the hook's own failure. */
function acceptFailure(frame: StageFrame, entry: HookEntry, problem: unknown): boolean {
  const instead = failureOf(frame, entry, problem)
  return instead ? take(frame, entry, instead) : false
}

function take(frame: StageFrame, entry: HookEntry, given: Directive): boolean {
  // Only stages with calls have a blocked result: to block any other stage is to stop the turn (decision 0002).
  const stops = given.type === 'block' && !frame.stage.blocked
  const directive = stops ? new Directive('stop', given.reason, 'refused') : given
  const { rank, hard } = directiveTable[directive.type]
  if (rank === undefined) return decideResult(frame, entry, directive)
  const { haltedBy } = frame.turn
  // A hook that was stopped with its own model call decides nothing: the directive that stopped the call keeps its author.
  if (directive instanceof HookFailure && haltedBy) frame.noted.note({ directive, decision: haltedBy.decision })
  else noteDirective(frame, directive, entry.owner.name, entry.at, given)
  // A message is recorded in any case, but for a guard's no: the hooks behind are still asked.
  if (!hard || (frame.stage.required && !entry.owner.guard)) return false
  if (entry.point === 'before') frame.result = endUnrun(frame, directive)
  return true
}

/** Takes a directive that a stage's own body returned, as its innermost wrap. Gives the stage's result; throws where it makes no sense. */
export function obeyStage(frame: StageFrame, entry: HookEntry, directive: Directive): unknown {
  const problem = misplacedBy(frame, entry, directive)
  if (problem) throw problem
  const { decided } = frame
  const ends = take(frame, entry, directive)
  return ends && frame.decided === decided ? endUnrun(frame, directive) : frame.result
}

/** Ends a stage before its body ran: skipped, or failed by `fail`. Gives its result, which a stage with calls has in any case. */
export function endUnrun(frame: StageFrame, directive: Directive): unknown {
  const { type, reason, value } = redactDirective(frame, directive)
  frame.status = type === 'fail' ? 'failed' : 'skipped'
  if (type === 'fail') frame.error = value
  const told = type === 'stop' || type === 'fail' ? reason : undefined
  return frame.stage.blocked?.(frame, told === undefined ? notRun : notRunBecause(told))
}

/** The stage's result is the directive's: instead of the body's (`skip`, `block`), or in its place afterwards (`replace`). */
function decideResult(frame: StageFrame, entry: HookEntry, directive: Directive): boolean {
  const { read, blocked } = frame.stage
  const { type, value } = directive
  if (type === 'block') frame.result = blocked?.(frame, refusalBy(frame, entry, directive))
  else frame.result = read ? read(value, frame, type, entry.owner.name) : value
  const decision = listDecision(frame, directive, entry.owner.name, entry.at)
  // A replaced result does not undo that the stage was kept from running.
  frame.turn.steering.markWon(decision, frame.decided?.directive === 'replace' ? frame.decided : undefined)
  frame.decided = decision
  if (type === 'replace') {
    if (frame.status === 'failed' && !(directive instanceof HookFailure)) frame.status = 'done'
    return false
  }
  if (!hasRun(entry)) frame.status = 'skipped'
  return true
}

/** A person's no is `denied`, a rule's is `blocked`. The reason is redacted here already: a checkpoint of the call keeps it. */
function refusalBy(frame: StageFrame, { owner }: HookEntry, directive: Directive): ToolResult {
  const { value, reason } = redactDirective(frame, directive)
  const denied = value === 'denied' || frame.deniedTo === owner.name
  return { status: denied ? 'denied' : 'blocked', value: reason }
}

/** Why a returned value makes no sense at this hook, or nothing. */
export function misplacedBy(frame: StageFrame, entry: HookEntry, returned: unknown): TurnbuckleError | undefined {
  const where = `${entry.at} of "${entry.owner.name}"`
  if (!(returned instanceof Directive))
    return new TurnbuckleError(
      'directive.unknown',
      `${where} returned ${describe(returned)}. Return nothing, or a directive: ${directiveNames.join(', ')}.`,
    )
  if (returned instanceof HookFailure) return undefined
  const { type }: Directive = returned
  const { guards, misplaced } = directiveTable[type]
  const hint =
    entry.owner.guard && !guards ? 'A guard may only block, stop or fail.' : misplaced(frame, entry, returned)
  return hint
    ? new TurnbuckleError('directive.misplaced', `${where} returned ${type}, which makes no sense there. ${hint}`)
    : undefined
}

const describe = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'object' ? 'an object' : `${typeof value} ${String(value)}`
