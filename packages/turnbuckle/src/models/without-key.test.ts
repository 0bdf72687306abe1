import { createAgent, type Model } from 'turnbuckle'
import { expect, test } from 'vitest'
import { withoutKey } from './without-key.ts'

const says = (error: unknown): Model => ({
  id: 'refusing',
  // biome-ignore lint/correctness/useYield: it fails before its first word
  async *stream() {
    throw error
  },
})

test.each([
  { name: 'is not shown', key: 'sk-12345678', says: 'Wrong key: (the key).' },
  { name: 'that is part of other words is none', key: 'key', says: 'Wrong key: sk-12345678.' },
  { name: 'that was not given is in no error', key: undefined, says: 'Wrong key: sk-12345678.' },
])('a key that a provider repeats in its error $name', async ({ key, says: shown }) => {
  const model = withoutKey(says(new Error('Wrong key: sk-12345678.')), key)
  await expect(createAgent({ model }).send('hello')).rejects.toThrow(shown)
})

test('a value that a model throws instead of an error stays as it is', async () => {
  const stream = withoutKey(says('sk-12345678'), 'sk-12345678').stream
  const read = async () => {
    for await (const _ of stream({ instructions: '', messages: [], tools: [], params: {} }, {} as never));
  }
  await expect(read()).rejects.toBe('sk-12345678')
})
