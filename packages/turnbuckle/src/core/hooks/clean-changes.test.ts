import { createAgent, middleware, type Span } from 'turnbuckle'
import { pii } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { cleanChanges } from './clean-changes.ts'

const clean = (text: string): string => text.replaceAll('4111', '[card]')

test.each([
  { what: 'texts', before: ['4111', { deep: 'no 4111' }], after: ['[card]', { deep: 'no [card]' }] },
  { what: 'keys and numbers', before: { 4111: 4111, n: 1 }, after: { '[card]': '[card]', n: 1 } },
  { what: 'nothing', before: undefined, after: undefined },
])('of what a hook changed $what are cleaned', ({ before, after }) => {
  const [change] = cleanChanges([{ what: 'state', before, after: 'x' }], clean, undefined)
  expect(change).toEqual({ what: 'state', before: after, after: 'x' })
})

test('what was one object before and after is one still; a cycle ends', () => {
  const part: Record<string, unknown> = { text: '4111' }
  part['self'] = part
  const [change] = cleanChanges([{ what: 'input', before: [part], after: [part, 'more'] }], clean, undefined)
  const { before, after } = change as { before: unknown[]; after: unknown[] }
  expect(before).toEqual([{ text: '[card]', self: undefined }])
  expect(after[0]).toBe(before[0])
})

test('messages are left as they are: what is on the tree was cleaned before', () => {
  const change = { what: 'messages', before: undefined, after: { message: '4111' } } as const
  expect(cleanChanges([change], clean, undefined)).toEqual([change])
})

test('no span of a turn has what a redactor took out, its own included', async () => {
  const spans: Span[] = []
  const watch = middleware({ name: 'watch', onTrace: span => void spans.push(span) })
  const notes = middleware({
    name: 'notes',
    state: '',
    beforeInput: ctx => ctx.update(() => 'seen ann@example.com'),
    beforeModel(ctx) {
      ctx.prompt = { ...ctx.prompt, instructions: 'Ask ann@example.com.' }
    },
  })
  const model = scriptedModel([{ text: 'For ann@example.com: ', error: new Error('ann@example.com is away') }])
  await createAgent({ model, use: [notes, watch, ...pii()] }).send('I am ann@example.com.').settled
  const [failed] = spans.flatMap(({ exchanges = [] }) => exchanges)
  expect(failed?.error).toBe('[email] is away')
  const changes = spans.flatMap(({ changed = [] }) => changed)
  expect(changes.map(({ what }) => what)).toEqual(expect.arrayContaining(['input', 'state']))
  expect(JSON.stringify([changes, failed?.received, failed?.error])).toContain('Ask [email].')
  expect(JSON.stringify([changes, failed?.received, failed?.error])).not.toContain('ann@example.com')
})
