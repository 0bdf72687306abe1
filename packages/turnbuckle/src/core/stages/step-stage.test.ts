import { createAgent, middleware, pipeline, skip, stage, textOf, tool } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])

test('a step opens once for each model call, with its stages inside', async () => {
  const order: string[] = []
  const at = (name: string) => () => void order.push(name)
  const watch = middleware({
    name: 'watch',
    beforeStep: ctx => void order.push(`step ${ctx.step}`),
    beforeModel: at('model'),
    beforeDetect: at('detect'),
    beforeTools: at('tools'),
    beforeDecide: at('decide'),
    afterStep: at('end'),
  })
  await createAgent({ model: looks(), tools: [look], use: [watch] }).send('Go')
  expect(order).toEqual([
    ...['step 0', 'model', 'detect', 'tools', 'decide', 'end'],
    ...['step 1', 'model', 'detect', 'decide', 'end'],
  ])
})

test('a step that is skipped calls no model and ends the turn', async () => {
  const model = looks()
  const none = middleware({ name: 'none', beforeStep: () => skip() })
  const { status, steps, text } = await createAgent({ model, tools: [look], use: [none] }).send('Go')
  expect({ status, steps, text, calls: model.prompts.length }).toEqual({
    status: 'completed',
    steps: 0,
    text: '',
    calls: 0,
  })
})

test('a wrap around a step sees its end', async () => {
  const order: string[] = []
  const around = middleware({
    name: 'around',
    async wrapStep(ctx, next) {
      order.push(`in ${ctx.step}`)
      const outcome = await next()
      order.push(`out ${ctx.step}`)
      return outcome
    },
    beforeDecide: () => void order.push('decide'),
  })
  await createAgent({ model: looks(), tools: [look], use: [around] }).send('Go')
  expect(order).toEqual(['in 0', 'decide', 'out 0', 'in 1', 'decide', 'out 1'])
})

const own = stage({ name: 'step', run: () => skip('Ready.') })
test.each([
  { by: 'a hook', how: { use: [middleware({ name: 'ready', beforeStep: () => skip('Ready.') })] } },
  { by: 'a wrap', how: { use: [middleware({ name: 'ready', wrapStep: () => skip('Ready.') })] } },
  { by: 'a stage in its place', how: { pipeline: pipeline().replace('step', own) } },
])('a step that $by skips with a reply has that reply', async ({ how }) => {
  for (const store of [undefined, memoryStore()]) {
    const model = looks()
    const turn = createAgent({ model, ...(store && { store }), ...how }).send('Go')
    expect(await turn).toMatchObject({ status: 'completed', text: 'Ready.' })
    expect((await turn).messages.map(textOf)).toEqual(['Go', 'Ready.'])
    expect(turn.explain()).toMatchObject([{ directive: 'skip', won: true }])
    expect(model.prompts).toEqual([])
  }
})
