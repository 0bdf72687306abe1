import { beforeAll, expect, test, vi } from 'vitest'
import { playFiles as play } from '../../test/play-files.ts'
import { scenarioOf, scenarios } from '../scenarios/scenarios.ts'
import type { Told } from './protocol.ts'

// Scenarios print: the page shows that, and it is no news for who runs the tests.
beforeAll(() => {
  vi.spyOn(console, 'log').mockReturnValue()
})

const ofKind = <Kind extends Told['kind']>(all: readonly Told[], kind: Kind) =>
  all.filter((told): told is Extract<Told, { kind: Kind }> => told.kind === kind)
const ends = (all: readonly Told[]) => ofKind(all, 'ended').map(({ status }) => status)
const directives = (all: readonly Told[]) => [
  ...new Set(ofKind(all, 'closed').flatMap(({ span }) => (span.directive ? [`${span.by} ${span.directive}`] : []))),
]

test.each([
  ['block', ['completed'], ['no-deletes block']],
  ['retry', ['completed'], []],
  ['redact', ['completed'], []],
  ['cost', ['completed'], []],
  ['critic', ['completed'], ['critic again']],
  ['rewind', ['completed'], ['tests-pass rewind']],
  ['approval', ['completed'], []],
  ['interrupt', ['completed'], []],
  ['winner', ['stopped'], ['eager again', 'content finish', 'budget stop']],
  ['explore', ['completed'], []],
  ['cache', ['completed', 'completed'], ['cache skip']],
  ['breaker', ['stopped'], ['breaker stop']],
  ['stage', ['completed'], ['judge again']],
  ['own', ['completed'], []],
])('the scenario %s ends as %j, by %j', async (id, status, steered) => {
  const all = await play(scenarioOf(id).files)
  expect(ofKind(all, 'problem')).toEqual([])
  expect(ends(all)).toEqual(status)
  expect(directives(all).sort()).toEqual([...steered].sort())
})

test('every scenario is in the table above, and has both files', () => {
  expect(scenarios).toHaveLength(14)
  for (const { files } of scenarios) for (const text of Object.values(files)) expect(text.length).toBeGreaterThan(20)
})

test('a no at the approval blocks the call', async () => {
  const all = await play(scenarioOf('approval').files, () => ({ decision: 'deny', reason: 'Too much.' }))
  expect(directives(all)).toEqual(['approval block'])
})

test('the playground is in no drawing, and its hooks are told to nobody', async () => {
  const all = await play(scenarioOf('own').files)
  expect(JSON.stringify([ofKind(all, 'agent'), ofKind(all, 'opened'), ofKind(all, 'closed')])).not.toMatch(/playground/)
})

const { files } = scenarioOf('block')
const problemOf = async (hook: string, agent: string = files['agent.ts']) => {
  const [found] = ofKind(await play({ 'hook.ts': hook, 'agent.ts': agent }), 'problem')
  return found?.problem
}

test.each([
  ['a syntax error', 'const a: number = 1\nconst = 2', { file: 'hook.ts', line: 2 }],
  ['a throw on loading', 'const a: number = 1\n\nthrow new Error("no rope")', { file: 'hook.ts', line: 3 }],
  ['a module that is not here', 'import fs from "node:fs"\nfs.readFile', { file: 'hook.ts', line: 1 }],
])('%s is told with its place', async (_what, hook, place) => {
  expect(await problemOf(hook)).toMatchObject(place)
})

test.each([
  ['before', 'beforeTool(ctx) {\n const call: unknown = ctx.call\n throw new Error("no rope")\n }'],
  ['after', 'async afterTool() {\n await undefined\n throw new Error("no rope")\n }'],
])('a hook that throws in %s is told with its line', async (_point, hook) => {
  const code = `import { middleware } from 'turnbuckle'\nexport default middleware({ name: 'mine',\n${hook} })`
  expect(await problemOf(code)).toMatchObject({ file: 'hook.ts', line: 5, message: expect.stringContaining('no rope') })
})

test('an agent.ts that exports no agent says so', async () => {
  expect(await problemOf('', 'export default 1')).toMatchObject({
    file: 'agent.ts',
    message: expect.stringMatching(/createAgent/),
  })
})
