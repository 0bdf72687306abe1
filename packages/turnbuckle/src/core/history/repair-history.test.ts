import fc from 'fast-check'
import { createAgent, type Part } from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

describe('a given history', () => {
  const call = (id: string): Part => ({ type: 'call', id, name: 'look', args: {} })

  const result = (id: string): Part => ({ type: 'result', id, name: 'look', status: 'ok', value: 1 })

  test('whatever it is, what the model gets is valid', async () => {
    const part = fc.constantFrom<Part>(
      { type: 'text', text: 'Hm' },
      call('a'),
      call('b'),
      result('a'),
      result('b'),
      result('z'),
    )
    const message = fc.oneof(
      fc.record({ role: fc.constant('user' as const), content: fc.constant('Hi') }),
      fc.record({ role: fc.constant('assistant' as const), content: fc.array(part, { minLength: 1, maxLength: 3 }) }),
      fc.record({
        role: fc.constant('tool' as const),
        content: fc.array(fc.constantFrom(result('a'), result('b'), result('z')), { minLength: 1, maxLength: 2 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 5 }), async messages => {
        const model = scriptedModel(['Fine.'])
        await createAgent({ model }).conversation({ messages }).send('Go on')
        expect(checkHistory(model.prompts[0]?.messages ?? [])).toEqual([])
      }),
      { numRuns: 300, seed: 20261115 },
    )
  })
})
