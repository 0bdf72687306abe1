import { demand } from '../../core/base/errors.ts'
import type { ReplayOptions } from './replayed.ts'
import { demandModel } from './stand-ins.ts'

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Refuses options of `replay` that are not what they should be, before a turn is read: the error names the option and the fix. */
export function checkReplayOptions(options: ReplayOptions): void {
  demand(isTable(options), 'replay.options', 'replay takes options as its third argument: { use: [middleware] }.')
  const { use, answers, models } = options
  const takesUse = Array.isArray(use) || typeof use === 'function'
  demand(takesUse, 'replay.options', 'replay({ use }) takes a list of middleware, or a function that makes one.')
  const takesAnswers = answers === undefined || typeof answers === 'function' || isTable(answers)
  const byKind = "a table by the kind of question, { permission: 'allow' }, or a function of the question"
  demand(takesAnswers, 'replay.options', `replay({ answers }) takes ${byKind}.`)
  if (models === undefined || typeof models === 'function') return
  const byId = "a table by the model's id, { judge: model }, or a function of the call"
  demand(isTable(models), 'replay.options', `replay({ models }) takes ${byId}.`)
  for (const [id, model] of Object.entries(models))
    demandModel(model, `replay({ models: { ${JSON.stringify(id)}: … } })`)
}
