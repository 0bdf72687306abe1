import { createAgent, type Message, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type Memory, memory } from './memory.ts'

async function ask(store: Memory, script = ['done'] as Parameters<typeof scriptedModel>[0]) {
  const model = scriptedModel(script)
  const result = await createAgent({ model, use: [memory(store, { max: 2 })] }).send('hi').settled
  return { status: result.status, sent: textOf(model.prompts[0]?.messages[0]) }
}

describe('memory', () => {
  test.each<{ name: string; store: Memory; sent: string }>([
    {
      name: 'memories stand in front',
      store: { recall: query => [`${query} was said`] },
      sent: 'Known from earlier:\n- hi was said\n\nhi',
    },
    { name: 'no more than max', store: { recall: () => ['a', 'b', 'c'] }, sent: 'Known from earlier:\n- a\n- b\n\nhi' },
    { name: 'none, and nothing is added', store: { recall: async () => [] }, sent: 'hi' },
    {
      name: 'a memory that is down does not stop the turn',
      store: { recall: () => Promise.reject(new Error('down')) },
      sent: 'hi',
    },
  ])('$name', async ({ store, sent }) => {
    expect(await ask(store)).toEqual({ status: 'completed', sent })
  })

  test.each([
    { name: 'a completed turn is learned from', script: ['done'], learned: ['hi', 'done'] },
    { name: 'a failed one is not', script: [{ error: new Error('down') }], learned: [] },
  ])('$name', async ({ script, learned }) => {
    const kept: Message[] = []
    await ask({ recall: () => [], extract: messages => kept.push(...messages) }, script)
    expect(kept.map(textOf)).toEqual(learned)
  })

  test('what cannot be kept does not fail the turn', async () => {
    const { status } = await ask({ recall: () => [], extract: () => Promise.reject(new Error('full')) })
    expect(status).toBe('completed')
  })
})
