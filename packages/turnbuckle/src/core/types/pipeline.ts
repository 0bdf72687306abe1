import type { Span } from '../hooks/span.ts'
import type { Stage } from './stage.ts'

export interface PipelineVariant {
  /** Off: only guards hold, for when speed counts. */
  readonly hooks?: boolean
  /** Told of every finished stage and hook. */
  readonly trace?: ((span: Span) => void) | undefined
}

/** The order of stages. Immutable: each method gives a new one. */
export interface Pipeline {
  /** The stages of a turn, in order. */
  readonly turn: readonly Stage[]
  /** The stages of a step, in order. */
  readonly step: readonly Stage[]
  /** False where only guards hold. */
  readonly hooks: boolean
  /** Told of every finished stage and hook. */
  readonly trace: ((span: Span) => void) | undefined
  /** Every stage, nested ones included. */
  readonly stages: readonly Stage[]
  /** The names of all stages. */
  readonly names: readonly string[]
  /** Puts a stage in front of the one of that name. */
  before(name: string, added: Stage): Pipeline
  /** Puts a stage behind the one of that name. */
  after(name: string, added: Stage): Pipeline
  /** Puts another stage in a stage's place. Under the same name it is handed what that one was, and its result goes where that one's did. */
  replace(name: string, by: Stage): Pipeline
  /** Leaves a stage out. The loop needs some of them. */
  remove(name: string): Pipeline
  /** The same stages with other settings. */
  with(variant: PipelineVariant): Pipeline
  /** The stage of that name, or an error that lists what there is. */
  part(name: string): Stage
  /** The places in the step where the reply is made, where it is recorded, and where its calls run; -1 where no stage does. */
  readonly modelPlace: number
  /** The place in the step where the reply is recorded; -1 where none is. */
  readonly recordPlace: number
  /** The place in the step where calls run; -1 where none do. */
  readonly toolsPlace: number
  /** The place of a stage in the step, for `goto`. */
  indexInStep(name: string): number
}
