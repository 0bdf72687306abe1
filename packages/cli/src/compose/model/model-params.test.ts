import { createAgent, middleware } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { modelParams, paramsOf } from './model-params.ts'

test('parameters are asked for with every call; those of hooks count more, and a project’s more than the user’s', async () => {
  const model = scriptedModel(['one', 'two'])
  let params = paramsOf({ user: { params: { temperature: 1, topP: 0.5 } }, project: { params: { temperature: 0 } } })
  const hook = middleware({ name: 'hook', beforeTurn: ctx => ctx.instruct({ topP: 0.9 }) })
  const chat = createAgent({ model, use: [hook, modelParams(() => params)] }).conversation()
  await chat.send('?')
  params = {}
  await chat.send('?')
  expect(model.prompts.map(prompt => prompt.params)).toEqual([{ temperature: 0, topP: 0.9 }, { topP: 0.9 }])
})
