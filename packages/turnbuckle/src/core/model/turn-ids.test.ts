import { createAgent, type Model } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { resultsOf } from '../../../test/support/results-of.ts'

describe('a call that the provider ran itself, under an id that was used before', () => {
  const chunks = [
    { type: 'call', id: 'c1', name: 'search', args: {} },
    { type: 'result', id: 'c1', name: 'search', status: 'ok', value: 'Found.' },
    { type: 'call', id: 'c1', name: 'search', args: {} },
    { type: 'result', id: 'c1', name: 'search', status: 'ok', value: 'Found more.' },
    { type: 'text', text: 'Found.' },
  ] as const

  test('keeps its result', async () => {
    const chat = createAgent({ model: scriptedModel([{ chunks }, { chunks }]) }).conversation()
    for (const text of ['One', 'Two']) {
      const { messages, steps } = await chat.send(text)
      expect(steps).toBe(1)
      const parts = messages.flatMap(({ content }) => content)
      const calls = parts.filter(part => part.type === 'call').map(({ id }) => id)
      expect(resultsOf(messages).map(({ id, value }) => [id, value])).toEqual([
        [calls[0], 'Found.'],
        [calls[1], 'Found more.'],
      ])
    }
    const ids = chat.messages.flatMap(({ content }) => content.filter(part => part.type === 'call').map(({ id }) => id))
    expect(new Set(ids).size).toBe(4)
  })

  test('and when it reports its whole loop', async () => {
    const model: Model = {
      id: 'observed',
      loop: 'observe',
      async *stream() {
        yield chunks[0]
        yield chunks[1]
        yield chunks[2]
        yield chunks[3]
        yield chunks[4]
      },
    }
    const { messages } = await createAgent({ model }).send('Go')
    expect(resultsOf(messages).map(({ value }) => value)).toEqual(['Found.', 'Found more.'])
  })
})
