import { expect, test } from 'vitest'
import { node, reply } from '../../test/conversation.ts'
import { usageSoFar } from './usage-so-far.ts'

const written = (text: string) => ({ id: 'w', turnId: 't', parentId: 'q', text, reasoning: '', calls: [] })
const price = { input: 10, output: 100, cacheRead: 1 }
const asked = { ...node('q', 'a'), message: { id: 'q', role: 'user' as const, content: [] } }
const answered = (usage: object) => ({
  ...reply('a', null),
  usage: { inputTokens: 1000, outputTokens: 100, ...usage },
})

test('it begins with what the call before it used, and grows with the text', () => {
  const path = [answered({ cost: 1 }), asked]
  const first = usageSoFar(path, written(''), price)
  expect(first).toMatchObject({ inputTokens: 1100, outputTokens: 0, estimated: true })
  expect(first.cost).toBeCloseTo(0.011)
  expect(usageSoFar(path, written('x'.repeat(4000)), price).cost).toBeCloseTo(0.011 + 0.1)
})

test('what the provider read from its cache counts at the price of that', () => {
  const { cost } = usageSoFar([answered({ cachedInputTokens: 900 }), asked], written(''), price)
  expect(cost).toBeCloseTo((1000 * 1 + 100 * 10) / 1_000_000)
})

test('without a price, or where another price begins, there is no cost', () => {
  const path = [answered({}), asked]
  expect(usageSoFar(path, written('word'), undefined)).toEqual({
    inputTokens: 1100,
    outputTokens: 1,
    estimated: true,
    unknownCalls: 1,
  })
  expect(usageSoFar(path, written('word'), { ...price, upTo: 1000 }).cost).toBeUndefined()
})

test('what was said since the last call counts too, a file as one', () => {
  const file = { type: 'file' as const, mediaType: 'image/png', data: 'x'.repeat(9000) }
  const said = {
    ...asked,
    message: { ...asked.message, content: [{ type: 'text' as const, text: 'x'.repeat(372) }, file] },
  }
  expect(usageSoFar([answered({}), said], written(''), price).inputTokens).toBe(1100 + 100 + 1500)
})
