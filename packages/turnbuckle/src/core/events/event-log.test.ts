import { createAgent, type Event } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

describe('turns', () => {
  test('who comes when the turn is over gets what was shown, one delta a message', async () => {
    const chunks = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello' },
    ] as const
    const turn = createAgent({ model: scriptedModel([{ chunks }]), clock: virtualClock() }).send('Go')
    const read = async () => {
      const events: Event[] = []
      for await (const event of turn) events.push(event)
      return events
    }
    const live = await read()
    expect(live.map(({ type }) => type)).toContain('message.delta')
    expect(await read()).toEqual(live)
  })
})
