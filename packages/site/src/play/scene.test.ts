import { expect, test } from 'vitest'
import { playFiles } from '../../test/play-files.ts'
import { scenarioOf } from '../scenarios/scenarios.ts'
import { emptyScene, nextScene, pathOf, type Scene } from './scene.ts'

/** The scenes of a scenario, one after each thing told. */
async function scenesOf(id: string): Promise<Scene[]> {
  const scenes: Scene[] = [emptyScene()]
  for (const told of await playFiles(scenarioOf(id).files)) scenes.push(nextScene(scenes.at(-1) as Scene, told))
  return scenes
}
const lastOf = async (id: string): Promise<Scene> => (await scenesOf(id)).at(-1) as Scene

test('withdrawn text stays to be seen, and is in no history', async () => {
  const { entries, conversation } = await lastOf('retry')
  expect(entries).toContainEqual(
    expect.objectContaining({
      kind: 'withdrawn',
      text: 'Dear Ada, the boat is ready and we sail at',
      reason: 'the line broke',
    }),
  )
  expect(JSON.stringify([...conversation.nodes.values()])).not.toContain('we sail at')
})

test('text grows word by word', async () => {
  const texts = (await scenesOf('critic')).flatMap(({ conversation }) =>
    [...conversation.live.values()].map(({ text }) => text),
  )
  expect(texts).toContain('Six coils ')
  expect(texts).toContain('Six coils of twenty ')
})

test('after a rewind the path is the new branch, and what was left behind is still there', async () => {
  const { conversation } = await lastOf('rewind')
  const path = pathOf(conversation)
  const texts = [...conversation.nodes.values()].map(({ id, message }) => [
    message.content.map(part => (part.type === 'text' ? part.text : '')).join(''),
    path.has(id),
  ])
  expect(texts).toEqual([
    ['Write the body of add(a, b).', true],
    ['return a - b', false],
    ['A first try failed: add(2, 3) gave -1. Find another way.', false],
    ['return a * b', false],
    ['A first try failed: add(2, 3) gave 6. Find another way.', true],
    ['return a + b', true],
  ])
})

test('while a hook runs it is open, with its stage and the stages around it; afterwards nothing is', async () => {
  const scenes = await scenesOf('block')
  const lit = scenes.find(({ open }) => [...open.values()].some(({ by }) => by === 'no-deletes'))
  expect([...(lit?.open.values() ?? [])].map(({ at, stage }) => at ?? stage)).toEqual([
    'turn',
    'step',
    'tools',
    'tool',
    'beforeTool',
  ])
  expect(scenes.at(-1)?.open.size).toBe(0)
  expect(scenes.at(-1)?.hooks.get('no-deletes beforeTool')).toMatchObject({ count: 2, directive: 'block' })
})

test('each turn begins on a clean drawing', async () => {
  const { hooks } = await lastOf('cache')
  expect(hooks.get('cache beforeModel')).toMatchObject({ count: 1, directive: 'skip' })
})

test('when the next step opens, the directive that led to it is known to have won', async () => {
  const scenes = await scenesOf('rewind')
  const later = scenes.find(({ step, conversation }) => step === 1 && conversation.live.size > 0)
  expect([...(later?.decisions.values() ?? [])].flat()).toMatchObject([{ directive: 'rewind', step: 0, won: true }])
})
