import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { evalCommand } from './eval-command.ts'

let folder: string
let printed: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-eval-test-'))
  vi.stubEnv('TURNBUCKLE_HOME', folder)
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    printed += String(text)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const run = (positionals: string[], values: Record<string, unknown>) =>
  evalCommand({ positionals, values: values as Record<string, string> }, [])

test('--list shows the tasks and runs nothing', async () => {
  expect(await run([], { list: true })).toBe(0)
  expect(printed.trim().split('\n')).toHaveLength(20)
})

test.each([
  { positionals: ['retri'], values: {}, says: 'Did you mean "retry"' },
  { positionals: ['retry'], values: { model: ['offline'] }, says: 'Add --yes' },
  { positionals: ['retry'], values: {}, says: 'Which model?' },
  { positionals: ['retry'], values: { model: ['nobody/x'], yes: true }, says: 'nobody/x' },
  {
    positionals: ['retry'],
    values: { model: ['offline'], set: ['x=nothing'], yes: true },
    says: 'no middleware "nothing"',
  },
  { positionals: ['retry'], values: { model: ['offline'], runs: '0', yes: true }, says: '--runs is a whole number' },
])('$positionals $values is refused: $says', async ({ positionals, values, says }) => {
  await expect(run(positionals, values)).rejects.toThrow(says)
})

test('a module can be the model; the exit code tells whether all was solved', async () => {
  const model = join(folder, 'model.mjs')
  writeFileSync(
    model,
    `const solution = 'export async function retry(run, times) { for (let i = 1; ; i++) try { return await run() } catch (error) { if (i >= times) throw error } }'
export default task => {
  let calls = 0
  return { id: 'mine', async *stream() {
    if (calls++ || task.name !== 'retry') yield { type: 'text', text: 'Done.' }
    else yield { type: 'call', id: 'c', name: 'write_file', args: { path: 'retry.mjs', content: solution } }
  } }
}`,
  )
  const values = { model: [model], set: ['plain', 'careful=todo'], yes: true }
  expect(await run(['retry'], values)).toBe(0)
  expect(printed).toMatch(/success\s+1 of 1\s+1 of 1/)
  expect(printed).toContain('cost')
  printed = ''
  expect(await run(['retry', 'csv'], { model: [model], yes: true, json: true })).toBe(1)
  const outcomes = printed
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { task: string; passed: boolean })
  expect(outcomes.map(({ task, passed }) => [task, passed])).toEqual(
    expect.arrayContaining([
      ['retry', true],
      ['csv', false],
    ]),
  )
}, 60_000)
