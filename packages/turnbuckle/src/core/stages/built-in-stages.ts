import { type ErrorKind, kindOf } from '../base/errors.ts'
import type { BuiltIn } from '../hooks/stage-fields.ts'
import type { BuiltInStage, Stage } from '../types/stage.ts'
import { appendStage } from './append-stage.ts'
import { decideStage } from './decide-stage.ts'
import { detectStage } from './detect-stage.ts'
import { generateStage } from './generate-stage.ts'
import { inputStage } from './input-stage.ts'
import { modelStage } from './model-stage.ts'
import { withAllMembers } from './stage.ts'
import { stepStage } from './step-stage.ts'
import { toolStage } from './tool-stage.ts'
import { toolsStage } from './tools-stage.ts'
import { turnStage } from './turn-stage.ts'

/** A stage for each name in `StageFields`, which gives its hooks their types: one without the other is a type error. */
const stages: { readonly [Name in BuiltIn]: BuiltInStage<Name> } = {
  turn: turnStage,
  input: inputStage,
  step: stepStage,
  model: modelStage,
  detect: detectStage,
  append: appendStage,
  tools: toolsStage,
  tool: toolStage,
  decide: decideStage,
  generate: generateStage,
}

export const builtInStages: ReadonlyMap<string, Stage> = new Map(
  Object.values(stages).map(stage => [stage.name, withAllMembers({ ...stage, builtIn: true })]),
)

/** The stages of a turn and of a step, in the order of the loop as it comes. Others are opened inside these. */
export const turnOrder: readonly BuiltIn[] = ['input', 'step']
export const stepOrder: readonly BuiltIn[] = ['model', 'detect', 'append', 'tools', 'decide']

/** The kind an error has by itself, or else the one that belongs to the stage it was thrown in. */
export const errorKindIn = (error: unknown, stage: string): ErrorKind =>
  kindOf(error, builtInStages.get(stage)?.errorKind)
