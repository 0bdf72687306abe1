import { TurnbuckleError } from '../base/errors.ts'
import { Directive, type DirectiveType, type RewindTarget, type Snapshot, snapshotTipId } from './directives.ts'
import type { HookEntry } from './hook-set.ts'
import type { StageFrame } from './stage-frame.ts'

/** Everything the engine knows of a directive. A new one is a type error here, and in `follow-directive`, until every column is filled. */
interface DirectiveRow {
  /** The resolver's order, 1 first. Absent: the directive concerns its own stage alone and never reaches the resolver. */
  readonly rank: number | undefined
  /** Hard: nothing more begins in the step, and the chain of before hooks ends. Soft: read when the step closes. */
  readonly hard: boolean
  /** True for a directive that guards may return. */
  readonly guards: boolean
  /** Why it makes no sense at a hook, in words that name the fix; nothing where it does. */
  readonly misplaced: (frame: StageFrame, entry: HookEntry) => string | undefined
  /** The value as plain JSON, for a checkpoint. */
  readonly toLog: (value: unknown) => unknown
  /** The directive as it was, from what `toLog` gave. */
  readonly fromLog: (logged: Directive, frame: StageFrame) => Directive
}

const hasRun = (entry: HookEntry): boolean => entry.point === 'after' || entry.at === 'onError'

/** `skip` and `block` stand for a stage that has not run yet and may be left out. */
const insteadOfStage: DirectiveRow['misplaced'] = ({ stage }, entry) => {
  if (hasRun(entry)) return 'The stage has run: use replace or stop.'
  return stage.required ? 'What happened is recorded: change ctx.message instead, or stop.' : undefined
}
/** After the stage of the whole turn, the one without a parent, only `replace` and `fail` mean anything. */
const whileTurnRuns: DirectiveRow['misplaced'] = ({ parent }, entry) =>
  !parent && hasRun(entry) ? 'The turn is over: use afterDecide.' : undefined
/** Jumps need a step to leave. */
const insideSteps: DirectiveRow['misplaced'] = (frame, entry) =>
  whileTurnRuns(frame, entry) ?? (frame.stage.precedesSteps ? 'No step has begun yet.' : undefined)
const anywhere = (): undefined => undefined

const asIs = <Value>(value: Value): Value => value

export const directiveTable: Readonly<Record<DirectiveType, DirectiveRow>> = {
  skip: { rank: undefined, hard: false, guards: false, misplaced: insteadOfStage, toLog: asIs, fromLog: asIs },
  block: { rank: undefined, hard: false, guards: true, misplaced: insteadOfStage, toLog: asIs, fromLog: asIs },
  replace: {
    rank: undefined,
    hard: false,
    guards: false,
    misplaced: (_frame, { point }) => (point === 'before' ? 'The stage has not run yet: use skip.' : undefined),
    toLog: asIs,
    fromLog: asIs,
  },
  stop: { rank: 2, hard: true, guards: true, misplaced: whileTurnRuns, toLog: asIs, fromLog: asIs },
  again: { rank: 5, hard: false, guards: false, misplaced: whileTurnRuns, toLog: asIs, fromLog: asIs },
  finish: { rank: 6, hard: false, guards: false, misplaced: whileTurnRuns, toLog: asIs, fromLog: asIs },
  goto: {
    rank: 4,
    hard: true,
    guards: false,
    misplaced: insideSteps,
    // Another pipeline is code, which a log cannot hold.
    toLog: value => (typeof value === 'string' ? value : undefined),
    fromLog: logged => (logged.value === undefined ? pipelineLost() : logged),
  },
  rewind: {
    rank: 3,
    hard: true,
    guards: false,
    misplaced: insideSteps,
    toLog: value => {
      const { to, message } = value as RewindTarget
      return typeof to === 'object' ? { snapshot: snapshotTipId(to), message } : { to, message }
    },
    fromLog: rewindFromLog,
  },
  fail: {
    rank: 1,
    hard: true,
    guards: true,
    misplaced: anywhere,
    toLog: value => (value instanceof Error ? value.message : String(value)),
    fromLog: ({ reason, value, say }) =>
      new Directive('fail', reason, new TurnbuckleError('turn.failed', String(value)), say),
  },
}

function rewindFromLog(logged: Directive, { turn }: StageFrame): Directive {
  const { snapshot, message } = (logged.value ?? {}) as { readonly snapshot?: string; readonly message?: string }
  if (!Object.hasOwn(Object(logged.value), 'snapshot')) return logged
  const to = { kind: 'snapshot', tip: turn.conversation.tree.find(snapshot ?? ''), instructions: [] } as Snapshot
  return new Directive('rewind', logged.reason, { to, message }, logged.say)
}

const pipelineLost = (): Directive =>
  new Directive(
    'fail',
    'The pipeline to go on with is not in the log.',
    new TurnbuckleError(
      'resume.pipeline',
      'The turn was handed to another pipeline, which the log cannot hold. Send the message again.',
    ),
  )

/** In the order that messages list them. */
export const directiveNames: readonly string[] = Object.keys(directiveTable)
