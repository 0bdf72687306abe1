import { createAgent, middleware, tool } from 'turnbuckle'
import { approval, redact } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { redactReason } from './redact-reason.ts'

const clean = (text: string): string => text.replace('EMP-1', '[employee]')

test.each([
  { answer: { decision: 'deny', reason: 'EMP-1' }, kept: { decision: 'deny', reason: '[employee]' } },
  { answer: { answer: 'EMP-1' }, kept: { answer: 'EMP-1' } },
  { answer: 'EMP-1', kept: 'EMP-1' },
  { answer: null, kept: null },
])('of $answer only the reason is cleaned', ({ answer, kept }) => {
  expect(redactReason(answer, clean)).toEqual(kept)
})

test('the reason of an answer to a turn that no process works on is cleaned in the log', async () => {
  const store = memoryStore()
  const look = tool({ name: 'look', run: () => 'seen' })
  const make = (...script: Parameters<typeof scriptedModel>[0]) =>
    createAgent({ model: scriptedModel(script), tools: [look], store, use: [approval(), redact(/EMP-\d/)] })
  const turn = make({ calls: [{ name: 'look' }] })
    .conversation('c')
    .send('Go.')
  for await (const { type } of turn) if (type === 'request.opened') turn.park()
  const left = await make().open('c')
  await left.answer(left.requests[0]?.id ?? '', { decision: 'deny', reason: 'EMP-1 says no' })
  await make('Done.').resume('c')
  const records = JSON.stringify([await store.events('c'), await store.nodes('c')])
  expect(records).toContain('*** says no')
  expect(records).not.toContain('EMP-1')
})

test('the reason of an answer goes through the redactors once', async () => {
  const look = tool({ name: 'look', run: () => 'seen' })
  const marks = middleware({ name: 'marks', redacts: text => `<${text}>` })
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Done.'])
  const chat = createAgent({ model, tools: [look], use: [approval(), marks] }).conversation()
  const answers: unknown[] = []
  for await (const event of chat.send('Go.')) {
    if (event.type === 'request.opened') void chat.answer(event.requestId, { decision: 'deny', reason: 'no' })
    if (event.type === 'request.answered') answers.push(event.decision)
  }
  expect(answers).toEqual([{ decision: 'deny', reason: '<no>' }])
})
