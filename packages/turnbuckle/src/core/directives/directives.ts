import { messageOf, TurnbuckleError } from '../base/errors.ts'
import type { Tree, TreeNode } from '../history/tree.ts'

/** A hook steers by returning a directive. A value, not a flag: the resolver decides which directive of a step counts. */
export class Directive<Type extends DirectiveType = DirectiveType> {
  /** The name of the directive. */
  readonly type: Type
  /** The reason, for the result and for `explain()`. */
  readonly reason: string | undefined
  /** The skipped or replaced stage's result; where to go; the message for the model; the error. */
  readonly value: unknown
  /** The closing text of a `stop`. */
  readonly say: string | undefined

  constructor(type: Type, reason?: string, value?: unknown, say?: string) {
    this.type = type
    this.reason = reason
    this.value = value
    this.say = say
  }
}

/** The names of the directives. */
export type DirectiveType = 'skip' | 'block' | 'replace' | 'stop' | 'again' | 'finish' | 'goto' | 'rewind' | 'fail'

/** A point in the history to come back to; made by `ctx.snapshot()`. */
export interface Snapshot {
  /** Tells a snapshot from other values. */
  readonly kind: 'snapshot'
}

/** The target of a `rewind`, and what the model is told there. */
export interface RewindTarget {
  readonly to: Snapshot | number | string
  readonly message?: string | undefined
}

/** The id of the message that a snapshot was taken at. One that was read from a log has the id in place of the node. */
export function snapshotTipId(snapshot: Snapshot | null): string | undefined {
  const tip = (snapshot as { readonly tip?: TreeNode | string } | null)?.tip
  return typeof tip === 'string' ? tip : tip?.id
}

/** Does not run this stage; `value` is its result. */
export const skip = (value?: unknown): Directive<'skip'> => new Directive('skip', undefined, value)
/** Does not run this call; the model is told why. On a stage without a blocked result the turn is stopped. */
export const block = (reason = 'blocked'): Directive<'block'> => new Directive('block', reason)
/** After hooks: the stage's result is `value`. The last one wins. */
export const replace = (value: unknown): Directive<'replace'> => new Directive('replace', undefined, value)
/** Ends the turn: no further model, tool or user stage begins. `say` is the closing text. */
export const stop = (reason: string, options: { readonly say?: string } = {}): Directive<'stop'> =>
  new Directive('stop', reason, undefined, options.say)
/** Asks for another step although the model is done; `message` tells the model why. */
export const again = (message: string): Directive<'again'> => new Directive('again', message, message)
/** Ends the turn as completed when this step closes. */
export const finish = (reason: string): Directive<'finish'> => new Directive('finish', reason)
/** Goes back to a snapshot, the beginning of a step, or a message, and on from there on a new branch. */
export const rewind = (to: Snapshot | number | string, message?: string): Directive<'rewind'> =>
  new Directive('rewind', message ?? (typeof to === 'object' ? 'snapshot' : String(to)), { to, message })
/** Ends the turn as failed. */
export const fail = (error: unknown): Directive<'fail'> => new Directive('fail', messageOf(error), error)

/** `goto`, `rewind` and `again` share one cap per turn. */
export const maxJumps = 100

/** A directive with its author, as `explain()` lists it. */
export interface Decision {
  /** The name of the directive. */
  readonly directive: DirectiveType
  /** The middleware or stage that returned the directive. */
  readonly by: string
  /** The hook: `beforeTool`. */
  readonly at: string
  /** The step, from 0. */
  readonly step: number
  /** The call that a directive of a tool's hook concerns. */
  readonly callId?: string
  /** The reason that was given with the directive. */
  readonly reason?: string
  /** Set for a decision of a sub-agent's turn: which agent's, where, and the call of this turn that it worked for. */
  readonly agent?: {
    readonly name: string
    readonly conversationId: string
    readonly turnId: string
    readonly callId: string
  }
  /** True where the directive took effect. */
  won: boolean
}

/** A directive that was put before the resolver, and how `explain()` lists it. */
export interface NotedDirective {
  readonly directive: Directive
  readonly decision: Decision
}

/** The hook that returns a directive, as far as the table looks at it. */
interface HookPlace {
  readonly point: 'before' | 'wrap' | 'after' | 'on'
  /** The hook's name: `beforeTool`. */
  readonly at: string
}

/** The occurrence of a stage that a directive is returned in, as far as the table looks at it. */
interface StagePlace {
  readonly stage: { readonly required?: boolean | undefined; readonly repeats?: boolean | undefined }
  /** The stage around it; the whole turn has none. */
  readonly parent: StagePlace | undefined
  /** The turn: on a log where it has a journal. */
  readonly turn: {
    readonly journal: unknown
    readonly agent: { readonly pipelines: Pipelines }
    readonly steering: { readonly ending: unknown }
  }
}

/** Everything the engine knows of a directive. A new one is a type error here, and in `follow-directive`, until every column is filled. */
interface DirectiveRow {
  /** The resolver's order, 1 first. Absent: the directive concerns its own stage alone and never reaches the resolver. */
  readonly rank: number | undefined
  /** Hard: nothing more begins in the step, and the chain of before hooks ends. Soft: read when the step closes. */
  readonly hard: boolean
  /** The turn's status when it wins and ends the turn. Absent: it jumps and the turn goes on, or it concerns its own stage alone. */
  readonly ends: 'completed' | 'stopped' | 'failed' | undefined
  /** True for a directive that guards may return. */
  readonly guards: boolean
  /** Why it makes no sense at a hook, in words that name the fix; nothing where it does. */
  readonly misplaced: (frame: StagePlace, entry: HookPlace, directive: Directive) => string | undefined
  /** The value without what redactors take out of its words for the model. */
  readonly redacted: (value: unknown, clean: (text: string) => string) => unknown
  /** The value as plain JSON, for a checkpoint. */
  readonly toLog: (value: unknown, pipelines: Pipelines) => unknown
  /** The directive as it was, from what `toLog` gave. */
  readonly fromLog: (logged: Directive, tree: Tree, pipelines: Pipelines) => Directive
}

/** The agent's pipelines to go to, by name. */
type Pipelines = Readonly<Record<string, object>>

/** True where the stage of a hook has run, or was kept from running, when the hook is called. */
export const hasRun = (entry: HookPlace): boolean => entry.point === 'after' || entry.at === 'onError'

/** `skip` and `block` stand for a stage that has not run yet and may be left out. */
const insteadOfStage: DirectiveRow['misplaced'] = ({ stage }, entry) => {
  if (hasRun(entry)) return 'The stage has run: use replace or stop.'
  return stage.required ? 'What happened is recorded: change ctx.message instead, or stop.' : undefined
}
/** After the stage of the whole turn, the one without a parent, only `replace` and `fail` mean anything. */
const whileTurnRuns: DirectiveRow['misplaced'] = ({ parent }, entry) =>
  !parent && hasRun(entry) ? 'The turn is over: use afterDecide.' : undefined
const isInStep = ({ stage, parent }: StagePlace): boolean => stage.repeats === true || (!!parent && isInStep(parent))
/** Another step can follow: not behind the last one. */
const beforeStepsEnd: DirectiveRow['misplaced'] = (frame, entry, directive) =>
  whileTurnRuns(frame, entry, directive) ??
  (frame.turn.steering.ending && !isInStep(frame) ? 'The steps are over: use afterDecide.' : undefined)
/** Jumps need a step to leave. */
const insideSteps: DirectiveRow['misplaced'] = (frame, entry, directive) =>
  beforeStepsEnd(frame, entry, directive) ?? (isInStep(frame) ? undefined : 'No step has begun yet.')
const anywhere = (): undefined => undefined

const asIs = <Value>(value: Value): Value => value

export const directiveTable: Readonly<Record<DirectiveType, DirectiveRow>> = {
  skip: {
    rank: undefined,
    hard: false,
    ends: undefined,
    guards: false,
    misplaced: insteadOfStage,
    redacted: asIs,
    toLog: asIs,
    fromLog: asIs,
  },
  block: {
    rank: undefined,
    hard: false,
    ends: undefined,
    guards: true,
    misplaced: insteadOfStage,
    redacted: asIs,
    toLog: asIs,
    fromLog: asIs,
  },
  replace: {
    rank: undefined,
    hard: false,
    ends: undefined,
    guards: false,
    misplaced: (_frame, { point }) => (point === 'before' ? 'The stage has not run yet: use skip.' : undefined),
    redacted: asIs,
    toLog: asIs,
    fromLog: asIs,
  },
  stop: {
    rank: 2,
    hard: true,
    ends: 'stopped',
    guards: true,
    misplaced: whileTurnRuns,
    redacted: asIs,
    toLog: asIs,
    fromLog: asIs,
  },
  again: {
    rank: 5,
    hard: false,
    ends: undefined,
    guards: false,
    misplaced: beforeStepsEnd,
    redacted: (value, clean) => clean(String(value)),
    toLog: asIs,
    fromLog: asIs,
  },
  finish: {
    rank: 6,
    hard: false,
    ends: 'completed',
    guards: false,
    misplaced: whileTurnRuns,
    redacted: asIs,
    toLog: asIs,
    fromLog: asIs,
  },
  goto: {
    rank: 4,
    hard: true,
    ends: undefined,
    guards: false,
    misplaced: (frame, entry, directive) =>
      insideSteps(frame, entry, directive) ?? namelessOnLog(frame, directive.value),
    redacted: asIs,
    toLog: pipelineToLog,
    fromLog: pipelineFromLog,
  },
  rewind: {
    rank: 3,
    hard: true,
    ends: undefined,
    guards: false,
    misplaced: insideSteps,
    redacted: (value, clean) => {
      const { to, message } = value as RewindTarget
      return { to, message: message && clean(message) } satisfies RewindTarget
    },
    toLog: value => {
      const { to, message } = value as RewindTarget
      // `null`: of the empty history. JSON would leave `undefined` out.
      return typeof to === 'object' ? { snapshot: snapshotTipId(to) ?? null, message } : { to, message }
    },
    fromLog: rewindFromLog,
  },
  fail: {
    rank: 1,
    hard: true,
    ends: 'failed',
    guards: true,
    misplaced: anywhere,
    redacted: asIs,
    toLog: messageOf,
    fromLog: ({ reason, value, say }) =>
      new Directive('fail', reason, new TurnbuckleError('turn.failed', String(value)), say),
  },
}

function rewindFromLog(logged: Directive, tree: Tree): Directive {
  const { snapshot, message } = (logged.value ?? {}) as { readonly snapshot?: string | null; readonly message?: string }
  if (snapshot === undefined) return logged
  const to = {
    kind: 'snapshot',
    tip: snapshot === null ? undefined : tree.find(snapshot),
    instructions: [],
  } as Snapshot
  return new Directive('rewind', logged.reason, { to, message }, logged.say)
}

/** Another pipeline is code, which a log cannot hold: the agent has it by its name. */
function pipelineToLog(value: unknown, pipelines: Pipelines): unknown {
  if (typeof value === 'string') return value
  return { pipeline: Object.keys(pipelines).find(name => pipelines[name] === value) }
}
/** A turn on a log cannot be resumed in a pipeline that the agent has no name for. */
function namelessOnLog({ turn: { journal, agent } }: StagePlace, to: unknown): string | undefined {
  if (!journal || typeof to === 'string' || Object.values(agent.pipelines).some(pipeline => pipeline === to))
    return undefined
  return `A turn on a log cannot go to a pipeline without a name. ${unresumable}`
}
const unresumable = 'It can be resumed only where the pipeline has one: createAgent({ pipelines: { name: pipeline } }).'

function pipelineFromLog(logged: Directive, _tree: Tree, pipelines: Pipelines): Directive {
  if (typeof logged.value === 'string') return logged
  const { pipeline: name } = (logged.value ?? {}) as { readonly pipeline?: string }
  const pipeline = name === undefined ? undefined : pipelines[name]
  return pipeline ? new Directive('goto', logged.reason, pipeline) : pipelineLost(name)
}

const pipelineLost = (name: string | undefined): Directive =>
  new Directive(
    'fail',
    'The pipeline to go on with is not in the log.',
    new TurnbuckleError(
      'resume.pipeline',
      `The turn was handed to ${name === undefined ? 'another pipeline' : `the pipeline "${name}"`}. ${unresumable}`,
    ),
  )

/** In the order that messages list them. */
export const directiveNames: readonly string[] = Object.keys(directiveTable)
