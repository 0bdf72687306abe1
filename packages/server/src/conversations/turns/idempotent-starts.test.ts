import { expect, test } from 'vitest'
import { IdempotentStarts, type KeyTag, turnOfKey } from './idempotent-starts.ts'

const never = () => Promise.reject(new Error('It was started again.'))

test('a second call with the same key and body gets the answer of the first, which is under way', async () => {
  const starts = new IdempotentStarts<string>()
  const given = { key: 'k', input: { text: 'hi' }, known: undefined }
  let answer: (text: string) => void = () => {}
  const first = starts.start(
    given,
    never,
    () =>
      new Promise(resolve => {
        answer = resolve
      }),
  )
  const second = starts.start(given, never, never)
  expect(starts.isEmpty).toBe(false)
  answer('turn_1')
  expect(await Promise.all([first, second])).toEqual(['turn_1', 'turn_1'])
  expect(starts.isEmpty).toBe(true)
})

test('a key that the log has is answered from there, and refused with another body', async () => {
  const starts = new IdempotentStarts<string>()
  const tags: KeyTag[] = []
  const begin = async (tag: KeyTag) => {
    tags.push(tag)
    return 'turn_1'
  }
  await starts.start({ key: 'k', input: 'hi', known: undefined }, never, begin)
  const [known] = tags
  expect(await starts.start({ key: 'k', input: 'hi', known }, async ({ key }) => `again ${key}`, never)).toBe('again k')
  expect(() => starts.start({ key: 'k', input: 'other', known }, never, never)).toThrow('another body')
})

test('of the turns of a key the last counts, for a day', () => {
  const hour = 60 * 60 * 1000
  const tag = { key: 'k', body: 'b' }
  const now = Date.now()
  const tags = new Map([
    ['old', { tag, at: now - 30 * hour }],
    ['new', { tag, at: now - hour }],
    ['other', { tag: { key: 'j', body: 'b' }, at: now }],
    ['foreign', { tag: 'k', at: now }],
  ])
  expect(turnOfKey(tags, 'k')).toEqual({ turnId: 'new', ...tag })
  tags.delete('new')
  expect(turnOfKey(tags, 'k')).toBeUndefined()
})
