import { createAgent, type Event, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

test('a call that an interrupt finds before its batch has begun is said not to have run', async () => {
  let runs = 0
  const look = tool({ name: 'look', run: () => ++runs })
  const told: Event[] = []
  const onEvent = (event: Event) => {
    told.push(event)
    if (event.type === 'tool.pending') turn.interrupt('wait')
  }
  const use = [middleware({ name: 'impatient', onEvent })]
  const turn = createAgent({
    model: scriptedModel([{ calls: [{ name: 'look', args: {} }] }, 'ok']),
    tools: [look],
    use,
  }).send('go')
  await turn.settled
  expect(told.find(({ type }) => type === 'tool.failed')).toMatchObject({ result: 'Interrupted before it ran.' })
  expect(runs).toBe(0)
})
