import { type Context, createAgent, goto, middleware, pipeline, replace, type Stage, stage } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const decideMore = (): Stage => stage({ name: 'decide', run: () => true })

test('a pipeline without a model ends at maxSteps too, where its decide always wants more', async () => {
  const places: boolean[] = []
  const watch = middleware({ name: 'watch', beforeStep: (ctx: Context) => void places.push(ctx.isLastStep) })
  const own = pipeline().remove('model').replace('decide', decideMore())
  const agent = createAgent({ model: scriptedModel([]), pipeline: own, maxSteps: 3, use: [watch] })
  expect(await agent.send('Go')).toMatchObject({ status: 'stopped', by: 'maxSteps', reason: '3 steps', steps: 0 })
  expect(places).toEqual([false, false, true])
})

test('a turn that goes to such a pipeline has as many steps as any other', async () => {
  const own = pipeline().remove('model').replace('decide', decideMore())
  const hand = middleware({
    name: 'hand',
    afterDecide: ctx => (ctx.step < 2 ? (ctx.step === 1 ? goto(own) : replace(true)) : undefined),
  })
  const agent = createAgent({ model: scriptedModel(['a', 'b']), pipelines: { own }, maxSteps: 5, use: [hand] })
  expect(await agent.send('Go')).toMatchObject({ status: 'stopped', by: 'maxSteps', reason: '5 steps', steps: 2 })
})
