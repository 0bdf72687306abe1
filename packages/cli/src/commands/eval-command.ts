import type { CommandFunction, ParsedCommand } from '../command-table.ts'
import { suggestNearest } from '../errors/suggest-nearest.ts'
import { UserError } from '../errors/user-error.ts'
import { evalSubjects } from '../eval/eval-subjects.ts'
import { evalTable } from '../eval/eval-table.ts'
import type { EvalTask } from '../eval/eval-task.ts'
import { evalTasks } from '../eval/eval-tasks.ts'
import { type EvalOutcome, runEval } from '../eval/run-eval.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { printJson, printLine, printNote } from '../text/print.ts'

/** Exit code 1 means that a task was not solved. */
export const evalCommand: CommandFunction = async ({ positionals, values }) => {
  const tasks = chosenTasks(positionals)
  if (values.list) {
    for (const { name, prompt } of tasks) printLine(`${name.padEnd(16)} ${prompt}`)
    return 0
  }
  // Keys of the user's own settings go into the environment; the project's settings do not count here.
  const { user } = await loadSettings()
  const models = list(values.model)
  const subjects = await evalSubjects(models.length ? models : [user.model ?? missingModel()], list(values.set))
  const runs = count(values, 'runs', 1)
  const all = tasks.length * subjects.length * runs
  if (!values.yes)
    throw new UserError(
      `${all} tasks, each in a temporary folder. The model runs commands on this machine without asking, and its calls are paid for. Add --yes.`,
    )
  const json = values.json === true
  let done = 0
  const outcomes = await runEval(tasks, subjects, {
    maxSteps: count(values, 'steps', 30),
    maxMs: count(values, 'seconds', 300) * 1000,
    keep: values.keep === true,
    parallel: count(values, 'parallel', 1),
    runs,
    onOutcome(outcome) {
      done++
      if (json) printJson(outcome)
      else printNote(`${done} of ${all}: ${progress(outcome)}`)
    },
  })
  if (!json) for (const line of evalTable(outcomes)) printLine(line.trimEnd())
  return outcomes.every(({ passed }) => passed) ? 0 : 1
}

const progress = ({ task, model, set, passed, status, reason, folder }: EvalOutcome): string =>
  [
    `${passed ? '✓' : '✗'} ${task} (${model}, ${set})`,
    ...(status === 'completed' ? [] : [`${status}: ${reason}`]),
    ...(folder === undefined ? [] : [folder]),
  ].join('  ')

function chosenTasks(names: readonly string[]): readonly EvalTask[] {
  const known = evalTasks.map(({ name }) => name)
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined) throw new UserError(`There is no task "${unknown}". ${suggestNearest(unknown, known)}`)
  return names.length ? evalTasks.filter(({ name }) => names.includes(name)) : evalTasks
}

const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

function missingModel(): never {
  throw new UserError('Which model? turnbuckle eval --model provider/model; turnbuckle setup connects one.')
}

function count(values: ParsedCommand['values'], option: string, otherwise: number): number {
  const given = values[option]
  if (given === undefined) return otherwise
  const read = Number(given)
  if (!Number.isInteger(read) || read < 1)
    throw new UserError(`--${option} is a whole number from 1 on, not "${given}".`)
  return read
}
