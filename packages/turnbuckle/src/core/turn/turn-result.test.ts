import { createAgent, middleware, stop, type TurnResult } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

test.each([
  { name: 'stopped', use: () => stop('no'), status: 'stopped', reason: 'no' },
  {
    name: 'failed',
    use: () => {
      throw new Error('broken')
    },
    status: 'failed',
    reason: '"gate" failed in beforeTurn: broken',
  },
])('the after hooks of a turn that its before hooks $name are told how it ends', async ({ use, status, reason }) => {
  let told: TurnResult | undefined
  const agent = createAgent({
    model: scriptedModel([]),
    use: [
      middleware({ name: 'gate', beforeTurn: use }),
      middleware({
        name: 'keeper',
        afterTurn: ctx => {
          told = ctx.result
        },
      }),
    ],
  })
  await agent.send('Hi').settled
  expect(told).toMatchObject({ status, reason })
})
