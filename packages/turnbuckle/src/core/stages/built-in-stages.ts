import { append } from './append.ts'
import { decide } from './decide.ts'
import { detect } from './detect.ts'
import { generate } from './generate.ts'
import { input } from './input.ts'
import { model } from './model.ts'
import { type Stage, shaped } from './stage.ts'
import { step } from './step.ts'
import { tool } from './tool.ts'
import { tools } from './tools.ts'
import { turn } from './turn.ts'

export const builtIn: ReadonlyMap<string, Stage> = new Map(
  [turn, input, step, model, detect, append, tools, tool, decide, generate].map(stage => [stage.name, shaped(stage)]),
)
