import { createAgent, offlineTools, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const all = ['own', 'calculate', 'wait', 'fail', 'ask']

test.each([
  { id: 'offline', onlyOffline: true, tools: all },
  { id: 'other/model', onlyOffline: true, tools: ['own'] },
  { id: 'other/model', onlyOffline: false, tools: all },
])('the model "$id" is offered $tools where onlyOffline is $onlyOffline', async ({ id, onlyOffline, tools }) => {
  const model = scriptedModel(['hello'], { id })
  const own = tool({ name: 'own', run: () => 1 })
  await createAgent({ model, tools: [own], use: [offlineTools({ onlyOffline })] }).send('?')
  expect(model.prompts[0]?.tools.map(({ name }) => name)).toEqual(tools)
})
