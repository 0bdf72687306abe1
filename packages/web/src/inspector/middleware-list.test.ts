import type { WireMiddleware } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { MiddlewareList } from './middleware-list.tsx'

const one: WireMiddleware = {
  name: 'strict',
  enabled: true,
  priority: 100,
  guard: true,
  hooks: [{ at: 'beforeTool', calls: 4, failures: 1, p50: 2, p99: 9 }],
  switchable: [],
}

test.each([
  { list: undefined, says: 'Loading …' },
  { list: [], says: 'This agent has no middleware.' },
])('where the list is $list it says: $says', ({ list, says }) => {
  expect(draw(MiddlewareList, {}, { middleware: list })).toContain(says)
})

test('a guard that this person may not switch says who may', () => {
  const html = draw(MiddlewareList, {}, { middleware: [one] })
  expect(html).toMatch(/guard.*owners switch it.*disabled=""[^>]*aria-checked="true"/s)
})

test('a middleware says what it does', () => {
  const html = draw(MiddlewareList, {}, { middleware: [{ ...one, description: 'Blocks what is odd.' }] })
  expect(html).toMatch(/strict.*Blocks what is odd\..*beforeTool/s)
})

test('hooks have their figures, and failures stand out', () => {
  expect(draw(MiddlewareList, {}, { middleware: [one] })).toMatch(
    /<td>beforeTool<\/td><td>4<\/td><td data-bad="true">1<\/td><td>2 ms<\/td><td>9 ms<\/td>/,
  )
})
