import { createAgent, type Event, middleware } from 'turnbuckle'
import { redact, retry } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

// A provider's error that quoted a key was told as it came.
test('the errors that retry.waiting and hook.failed tell go through the redactors', async () => {
  const clock = virtualClock()
  const broken = middleware({
    name: 'broken',
    afterModel() {
      throw new Error('no access with sk-123')
    },
  })
  const model = scriptedModel([{ error: Object.assign(new Error('bad key sk-123'), { status: 503 }) }, 'Hi'])
  const use = [retry({ times: 1 }), redact(/sk-\d+/, '[key]'), broken]
  const turn = createAgent({ model, use, clock }).send('Go')
  await clock.advance(60_000)
  const told: Event[] = []
  for await (const event of turn) if (/^(retry|hook)\./.test(event.type)) told.push(event)
  expect(told).toMatchObject([
    { type: 'retry.waiting', error: 'bad key [key]' },
    { type: 'hook.failed', error: 'no access with [key]' },
  ])
})
