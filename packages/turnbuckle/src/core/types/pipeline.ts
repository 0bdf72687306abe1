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
  readonly turn: readonly Stage[]
  readonly step: readonly Stage[]
  readonly hooks: boolean
  readonly trace: ((span: Span) => void) | undefined
  /** Every stage, nested ones included. */
  readonly stages: readonly Stage[]
  readonly names: readonly string[]
  before(name: string, added: Stage): Pipeline
  after(name: string, added: Stage): Pipeline
  /** Puts another stage in a stage's place. Under the same name it is handed what that one was, and its result goes where that one's did. */
  replace(name: string, by: Stage): Pipeline
  remove(name: string): Pipeline
  with(variant: PipelineVariant): Pipeline
  /** The stage of that name, or an error that lists what there is. */
  part(name: string): Stage
  /** The places in the step where the reply is made, where it is recorded, and where its calls run; -1 where no stage does. */
  readonly modelPlace: number
  readonly recordPlace: number
  readonly toolsPlace: number
  /** The place of a stage in the step, for `goto`. */
  indexInStep(name: string): number
}
