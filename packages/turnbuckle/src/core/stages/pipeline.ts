import { demand, nearest, TurnbuckleError } from '../base/errors.ts'
import type { Span } from '../hooks/span.ts'
import type { Pipeline as PipelineType, PipelineVariant } from '../types/pipeline.ts'
import type { Stage } from '../types/stage.ts'
import { builtInStages, stepOrder, turnOrder } from './built-in-stages.ts'
import { withAllMembers } from './stage.ts'

/** The order of stages. Immutable: each method gives a new one. */
export class Pipeline implements PipelineType {
  readonly turn: readonly Stage[]
  readonly step: readonly Stage[]
  readonly hooks: boolean
  readonly trace: ((span: Span) => void) | undefined
  readonly #parts: ReadonlyMap<string, Stage>

  constructor(
    turn: readonly Stage[],
    step: readonly Stage[],
    parts: ReadonlyMap<string, Stage>,
    variant: PipelineVariant = {},
  ) {
    this.turn = turn
    this.step = step
    this.#parts = parts
    this.hooks = variant.hooks ?? true
    this.trace = variant.trace
  }

  /** Every stage, nested ones included. */
  get stages(): readonly Stage[] {
    return [...this.#parts.values()]
  }
  get names(): readonly string[] {
    return [...this.#parts.keys()]
  }

  before(name: string, added: Stage): PipelineType {
    return this.#insert(name, added, 0)
  }
  after(name: string, added: Stage): PipelineType {
    return this.#insert(name, added, 1)
  }
  /** Puts another stage in a stage's place. Under the same name it is handed what that one was, and its result goes where that one's did. */
  replace(name: string, by: Stage): PipelineType {
    demandStage(by)
    const replaced = this.part(name)
    demandFree(by.name === name || replaced.needed !== 'name', name)
    const put = inPlaceOf(replaced, by)
    const swap = (list: readonly Stage[]) => list.map(stage => (stage.name === name ? put : stage))
    const parts = new Map([...this.#parts].map(([key, stage]) => (key === name ? [by.name, put] : [key, stage])))
    return new Pipeline(swap(this.turn), swap(this.step), parts, this)
  }
  remove(name: string): PipelineType {
    demandFree(!this.part(name).needed, name)
    const without = (list: readonly Stage[]) => list.filter(stage => stage.name !== name)
    const parts = new Map([...this.#parts].filter(([key]) => key !== name))
    return new Pipeline(without(this.turn), without(this.step), parts, this)
  }
  with(variant: PipelineVariant): PipelineType {
    return new Pipeline(this.turn, this.step, this.#parts, { ...this, ...variant })
  }

  /** The stage of that name, or an error that lists what there is. */
  part(name: string): Stage {
    const found = this.#parts.get(name)
    if (found) return found
    throw unknownStage(name, this.names)
  }
  /** The places in the step where the reply is made, where it is recorded, and where its calls run; -1 where no stage does. */
  get modelPlace(): number {
    return this.step.findIndex(stage => stage.gives === 'reply')
  }
  get recordPlace(): number {
    return this.step.findIndex(stage => stage.required)
  }
  get toolsPlace(): number {
    return this.step.findIndex(stage => stage.takes === 'calls')
  }
  /** The place of a stage in the step, for `goto`. */
  indexInStep(name: string): number {
    const index = this.step.findIndex(stage => stage.name === name)
    if (index >= 0) return index
    throw unknownStage(
      name,
      this.step.map(stage => stage.name),
    )
  }

  #insert(name: string, added: Stage, offset: 0 | 1): PipelineType {
    demandStage(added)
    if (this.#parts.has(added.name))
      throw new TurnbuckleError(
        'stage.duplicate',
        `There is a stage "${added.name}" already. Replace it, or choose another name.`,
      )
    const list = [this.turn, this.step].find(stages => stages.some(stage => stage.name === name))
    if (!list)
      throw unknownStage(
        name,
        [...this.turn, ...this.step].map(stage => stage.name),
      )
    const stage = { ...withAllMembers(added), needed: undefined }
    const put = (stages: readonly Stage[]) =>
      stages === list ? stages.toSpliced(stages.findIndex(stage => stage.name === name) + offset, 0, stage) : stages
    return new Pipeline(put(this.turn), put(this.step), new Map(this.#parts).set(added.name, stage), this)
  }
}

/** Under another name a stage is of a user's own kind: its hooks see `ctx.input`, and its errors have no kind. */
const ownKind: Partial<Stage> = {
  takes: undefined,
  gives: undefined,
  refresh: undefined,
  foresee: undefined,
  blocked: undefined,
  failureBlocks: undefined,
  refusal: undefined,
  errorKind: undefined,
  outlivesErrors: undefined,
  toLog: undefined,
  fromLog: undefined,
  builtIn: undefined,
  repeats: undefined,
  precedesSteps: undefined,
  holdsOthers: undefined,
  opensWhenHalting: undefined,
  inheritsCancel: undefined,
} as never

/** A built-in stage makes its own result of what the stage in its place gives: text from a `model` is a reply. */
function inPlaceOf(stage: Stage, by: Stage): Stage {
  const { adopt } = stage
  const given = Object.fromEntries(Object.entries(by).filter(([, member]) => member !== undefined))
  const isSame = by.name === stage.name
  // The loop needs a built-in stage for its name: a copy of it under another name can be removed and replaced.
  const put = { ...stage, ...(isSame ? {} : ownKind), ...given, needed: isSame ? stage.needed : undefined }
  if (!adopt || by.adopt) return put
  const body: Stage['body'] = async (frame, input) => adopt(await by.body(frame, input), frame, input)
  return { ...put, body }
}

const demandFree = (isFree: boolean, name: string): void =>
  demand(isFree, 'stage.required', `The loop needs "${name}". Replace it by a stage of that name.`)

const demandStage = (given: Stage): void =>
  demand(typeof given?.body === 'function', 'stage.invalid', 'That is no stage. Make one: stage({ name, run }).')

function unknownStage(name: string, names: readonly string[]): TurnbuckleError {
  const close = nearest(name, names)
  const hint = close ? ` Did you mean "${close}"?` : ''
  return new TurnbuckleError('stage.unknown', `No stage "${name}" here.${hint} Stages here: ${names.join(', ')}.`)
}

const pick = (names: readonly string[]): Stage[] => names.map(name => builtInStages.get(name) as Stage)

const asItComes = new Pipeline(pick(turnOrder), pick(stepOrder), builtInStages)

/** The loop as it comes. Shape it with `.before`, `.after`, `.replace` and `.remove`. */
export const pipeline = (): PipelineType => asItComes

/** The loop with every stage and hook told to `log`: its time, and what it returned. */
export const debugPipeline = (log: (span: Span) => void): PipelineType => pipeline().with({ trace: log })

/** The loop with the hooks of guards alone, for when only speed counts. An agent that has other middleware says on stderr whose it leaves out. */
export const performancePipeline = (): PipelineType => pipeline().with({ hooks: false })
