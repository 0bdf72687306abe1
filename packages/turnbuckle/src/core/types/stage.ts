import type { ErrorKind } from '../base/errors.ts'
import type { Maybe } from '../base/maybe.ts'
import type { ToolResult } from '../base/message.ts'
import type { DirectiveType } from '../directives/directives.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import type { BuiltIn, InputName, InputNameOf, ResultName, ResultNameOf } from '../hooks/stage-fields.ts'
import type { StepState } from '../state/step-state.ts'
import type { StageFrame } from './stage-frame.ts'
import type { TurnState } from './turn-state.ts'

/** Gives a stage's input and result as plain JSON, where they are not that already. */
interface StageToLog {
  /** `notLogged` where the before hooks must run again after a crash. */
  readonly input?: (frame: StageFrame) => unknown
  readonly result?: (frame: StageFrame) => unknown
}

/** Takes back what the log has of a stage. */
interface StageFromLog {
  readonly input?: (frame: StageFrame, logged: unknown) => void
  readonly result?: (frame: StageFrame, logged: unknown) => unknown
  /** The log says that the whole stage is over. */
  readonly left?: (frame: StageFrame) => void
}

/** A named part of the loop. Stages know nothing of each other and speak only through the context; nobody else knows their names. */
export interface Stage {
  /** The name that its hooks follow from. */
  readonly name: string
  /** The purpose of the stage in a line, for people. */
  readonly description?: string | undefined
  /** Milliseconds that the stage takes as a rule. */
  readonly estimatedMs?: number | undefined
  /** True where the stage may take longer than a moment. */
  readonly longRunning?: boolean | undefined
  /** Facts of the stage's author about it, for whoever lists stages; the loop reads none of them. */
  readonly properties?: Readonly<Record<string, unknown>> | undefined

  // The stage's input, body and result.

  /** The name under which hooks see its input: `ctx.message`, `ctx.prompt`, … A stage of a user's own has `ctx.input` alone. */
  readonly takes?: InputName | undefined
  /** The name under which after hooks see its result, besides `ctx.result`. */
  readonly gives?: ResultName | undefined
  /** Counts the opening of the stage, once, before its input is made. */
  readonly begin?: (turn: TurnState) => void
  /** The stage's input when it opens, given the result of the stage before it; `notOpened` when there is nothing to do. */
  readonly input?: (turn: TurnState, previous: unknown) => unknown
  /** Runs the stage. */
  readonly body: (frame: StageFrame, input: unknown) => unknown
  /** Puts its result into the turn. */
  readonly keep?: (turn: TurnState, result: unknown) => void
  /** Runs right after the stage, unless a directive halts the step: records the result. */
  readonly follow?: (parent: StageFrame) => Promise<unknown>
  /** Puts its result into the step's draft, for after hooks, which may still replace it. */
  readonly show?: (step: StepState, result: unknown) => void

  /** Makes its result of what a stage in its place gave (`pipeline().replace`); without it that is the result as it is. */
  readonly adopt?: (given: unknown, frame: StageFrame, input: unknown) => unknown

  // Reading the values that hooks give.

  /** Reads a value that a hook gave as its result, by a directive of `author` or as a wrap's return value. */
  readonly read?: (value: unknown, frame: StageFrame, by?: DirectiveType, author?: string) => unknown
  /** Reads a value that a hook gave as its input, by assigning it or to `next`, given the input that hook was handed; throws when it cannot be. */
  readonly current?: (turn: TurnState, given: unknown, handed: unknown) => unknown
  /** Brings the input up to date before a hook looks at it. */
  readonly refresh?: (frame: StageFrame) => void
  /** A copy of an input that hooks change in place, for telling what each has changed. */
  readonly copyInput?: (input: unknown) => unknown
  /** True where two such copies are alike. */
  readonly isSameInput?: (one: unknown, other: unknown) => boolean
  /** Such a copy with its own texts cleaned, for a span; without it an input is plain data, and cleaned as such. */
  readonly cleanInput?: (input: unknown, clean: (text: string) => string) => unknown
  /** Checks the input before guards see it; its rejection is the stage's. */
  readonly check?: (frame: StageFrame) => Maybe<void>
  /** The result that after hooks see while the stage has none, because it did not run. */
  readonly foresee?: (frame: StageFrame) => unknown

  // When it fails or is refused.

  /** The result that stands for a failure or an interrupt, where there must be one. */
  readonly failed?: (error: unknown, frame: StageFrame) => unknown
  /** The result when its calls are not run. A stage without calls has none: to block it is to stop the turn. */
  readonly blocked?: (frame: StageFrame, result: ToolResult) => unknown
  /** True where the failure of a guard at this point blocks the stage, in place of failing the turn. */
  readonly failureBlocks?: (point: HookEntry['point']) => boolean
  /** The error that `onError` hears of where a skipped stage was refused. */
  readonly refusal?: (frame: StageFrame) => unknown
  /** The kind of an error that is thrown in it and says none itself. */
  readonly errorKind?: ErrorKind | undefined
  /** The turn goes on after its errors, unless the policy says otherwise. */
  readonly outlivesErrors?: boolean | undefined

  // The stage in the log.

  /** Gives the stage's input and result to the log. */
  readonly toLog?: StageToLog | undefined
  /** Reads the stage's input and result from the log. */
  readonly fromLog?: StageFromLog | undefined
  /** The input of an occurrence that a process left open, for its after hooks. */
  readonly reopensWith?: (turn: TurnState) => unknown

  // The stage's place in the loop.

  /** True for a stage of the library. */
  readonly builtIn?: boolean | undefined
  /**
   * The loop cannot do without it. `name`: it is opened by its name, so that only a stage of that name can take its place;
   * `place`: a stage of any name can, but it cannot be removed.
   */
  readonly needed?: 'name' | 'place' | undefined
  /** Records what happened: it cannot be skipped or removed. */
  readonly required?: boolean | undefined
  /** Opened again and again, until the resolver says that is all. */
  readonly repeats?: boolean | undefined
  /** Comes before the first step: there is no step to jump in. */
  readonly precedesSteps?: boolean | undefined
  /** Opens other stages inside. */
  readonly holdsOthers?: boolean | undefined
  /** A wrap's `next` runs the stage although a directive has halted the step: a stopped turn still needs it, or it begins the turn anew. */
  readonly opensWhenHalting?: boolean | undefined
  /** A limit that a wrap puts around the stage that holds it ends it too. */
  readonly inheritsCancel?: boolean | undefined
  /** A hook's own model call, not a part of the loop. */
  readonly calledByHook?: boolean | undefined
}

/**
 * A built-in stage says what it takes, how it is kept and whether the loop needs it: leaving one out is a type error, and so is a
 * name of its input or result that `StageFields` does not have.
 */
export interface BuiltInStage<Name extends BuiltIn> extends Omit<Stage, 'takes' | 'gives'> {
  readonly name: Name
  readonly description: string
  /** A rough guess for lists and progress bars: with a model that answers in two seconds and a tool that takes one. */
  readonly estimatedMs: number
  readonly takes: InputNameOf<Name>
  readonly gives: ResultNameOf<Name>
  readonly toLog: Stage['toLog']
  readonly fromLog: Stage['fromLog']
  readonly needed: Stage['needed']
}
