import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { listModels, onlyModelOf } from './models.ts'

const agent = createAgent({ model: scriptedModel([]) })
const { id } = agent.model

test('a server that was given no models has the agent’s alone', async () => {
  const models = onlyModelOf(agent)
  expect(await models.list()).toEqual([id])
  expect(await models.find(id)).toBe(agent.model)
  await expect(models.find('other')).rejects.toMatchObject({ code: 'model.unknown' })
})

test('the list begins with the default, has it once, and marks the script that is no AI', async () => {
  const models = { ...onlyModelOf(agent), list: async () => ['a/b', id, 'offline'] }
  expect(await listModels(agent, models)).toEqual({
    default: id,
    models: [{ id }, { id: 'a/b' }, { id: 'offline', offline: true }],
  })
})
