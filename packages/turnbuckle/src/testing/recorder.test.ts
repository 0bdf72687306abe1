import { createAgent, pipeline, stage, tool } from 'turnbuckle'
import { recorder, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })

test('every hook of a turn is recorded in order, with step, call and status', async () => {
  const record = recorder()
  const model = scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
  await createAgent({ model, tools: [look], use: [record] }).send('Go')
  expect(record.calls.slice(0, 9).map(({ hook }) => hook)).toEqual([
    'beforeTurn',
    'wrapTurn',
    'beforeInput',
    'wrapInput',
    'afterInput',
    'beforeAppend',
    'wrapAppend',
    'afterAppend',
    'beforeStep',
  ])
  expect(record.calls.find(({ hook }) => hook === 'afterTool')).toEqual({
    hook: 'afterTool',
    step: 0,
    callId: 'c1',
    status: 'done',
  })
  expect(record.calls.at(-1)).toMatchObject({ hook: 'afterTurn', step: 1 })
})

test('stages of your own, chunks, errors and events are recorded on request', async () => {
  const record = recorder({ stages: ['ponder'], on: ['onChunk', 'onError', 'onEvent'] })
  const ponder = stage({ name: 'ponder', run: () => 'fine' })
  const model = scriptedModel([{ text: 'Hm', error: new Error('cut') }])
  await createAgent({ model, use: [record], pipeline: pipeline().before('model', ponder) }).send('Go').settled
  const hooks = new Set(record.calls.map(({ hook }) => hook))
  for (const hook of ['beforePonder', 'wrapPonder', 'afterPonder', 'onChunk', 'onError', 'onEvent'])
    expect(hooks).toContain(hook)
})

test('clear() forgets', async () => {
  const record = recorder()
  await createAgent({ model: scriptedModel(['Hi']), use: [record] }).send('Go')
  record.clear()
  expect(record.calls).toEqual([])
})
