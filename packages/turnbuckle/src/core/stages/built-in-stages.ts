import { type ErrorKind, kindOf } from '../base/errors.ts'
import type { BuiltIn } from '../hooks/hook-types.ts'
import { append } from './append.ts'
import { decide } from './decide.ts'
import { detect } from './detect.ts'
import { generate } from './generate.ts'
import { input } from './input.ts'
import { model } from './model.ts'
import { type BuiltInStage, type Stage, withAllMembers } from './stage.ts'
import { step } from './step.ts'
import { tool } from './tool.ts'
import { tools } from './tools.ts'
import { turn } from './turn.ts'

/** One for each name in `StageFields`, which gives its hooks their types: one without the other is a type error. */
const stages: Readonly<Record<BuiltIn, BuiltInStage>> = {
  turn,
  input,
  step,
  model,
  detect,
  append,
  tools,
  tool,
  decide,
  generate,
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
