import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Model, middleware, stop } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { evalSolutions } from '../../test/eval-solutions.ts'
import { evalTable } from './eval-table.ts'
import type { EvalTask } from './eval-task.ts'
import { evalTasks } from './eval-tasks.ts'
import { type EvalOptions, type EvalSubject, runEval } from './run-eval.ts'

const usage = { inputTokens: 90, outputTokens: 10, cost: 0.01 }
/** Writes the solution, runs the tests and says that it is done. */
const able = ({ name }: EvalTask): Model =>
  scriptedModel([
    {
      calls: Object.entries(evalSolutions[name] ?? {}).map(([path, content]) => ({
        name: 'write_file',
        args: { path, content },
      })),
      usage,
    },
    { calls: [{ name: 'shell', args: { command: 'node --test' } }], usage },
    { text: 'Done.', usage },
  ])
/** Takes the tests away, and says that it is done. */
const cheating = (): Model =>
  scriptedModel([
    { calls: [{ name: 'shell', args: { command: 'echo > task.test.mjs' } }], usage },
    { text: 'All tests pass.', usage },
  ])

const subject = (model: string, make: (task: EvalTask) => Model, more: Partial<EvalSubject> = {}): EvalSubject => ({
  model,
  set: 'plain',
  modelFor: async task => make(task),
  use: async () => [],
  ...more,
})

let time = 0
const options: EvalOptions = {
  maxSteps: 10,
  maxMs: 60_000,
  keep: false,
  parallel: 2,
  runs: 1,
  now: () => (time += 500),
}
const tasks = evalTasks.filter(({ name }) => name === 'retry' || name === 'rename')

test('tests judge, not words: who solves passes, who changes the tests does not', async () => {
  const outcomes = await runEval(tasks, [subject('able', able), subject('cheating', cheating)], {
    ...options,
    parallel: 1,
  })
  expect(outcomes.map(({ model, task, passed, steps, cost }) => [model, task, passed, steps, cost])).toEqual([
    ['able', 'retry', true, 3, 0.03],
    ['able', 'rename', true, 3, 0.03],
    ['cheating', 'retry', false, 2, 0.02],
    ['cheating', 'rename', false, 2, 0.02],
  ])
  expect(outcomes[0]).toMatchObject({ status: 'completed', inputTokens: 270, outputTokens: 30, ms: 500 })
  expect(evalTable(outcomes).map(line => line.trimEnd())).toEqual([
    '                   able   cheating',
    'success          2 of 2     0 of 2',
    'steps, mean         3.0        2.0',
    'tokens, mean        300        200',
    'cost            $0.0600    $0.0400',
    'time, mean        0.5 s      0.5 s',
    '',
    'rename        ✓ 3 steps  ✗ 2 steps',
    'retry         ✓ 3 steps  ✗ 2 steps',
  ])
}, 60_000)

test('sets of middleware stand side by side, and what they stop is an outcome', async () => {
  const strict = middleware({ name: 'strict', beforeTool: () => stop('no tools') })
  const subjects = [subject('able', able), subject('able', able, { set: 'strict', use: async () => [strict] })]
  const outcomes = await runEval(tasks.slice(0, 1), subjects, { ...options, runs: 2 })
  expect(outcomes.filter(({ set }) => set === 'strict')).toMatchObject([
    { passed: false, status: 'stopped', reason: 'no tools' },
    { passed: false, status: 'stopped' },
  ])
  const [titles, success] = evalTable(outcomes)
  expect(titles).toContain('able + plain')
  expect(success).toMatch(/2 of 2\s+0 of 2/)
  expect(evalTable(outcomes).at(-1)).toMatch(/2\/2 3 steps\s+0\/2 1 step \(stopped\)/)
}, 60_000)

test('a folder is kept on request, and a model that fails is an outcome', async () => {
  const broken = subject('broken', () => scriptedModel([{ error: new Error('No credit.') }]))
  const [outcome] = await runEval(tasks.slice(0, 1), [broken], { ...options, keep: true })
  expect(outcome).toMatchObject({ passed: false, status: 'failed', reason: expect.stringContaining('No credit.') })
  const folder = outcome?.folder ?? ''
  expect(existsSync(join(folder, 'retry.mjs'))).toBe(true)
  await rm(folder, { recursive: true })
}, 60_000)
