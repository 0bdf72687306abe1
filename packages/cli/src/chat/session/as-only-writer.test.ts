import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { asOnlyWriter } from './as-only-writer.ts'

const who = { conversation: 'conv_a', owner: 'here/1/x' }

/** A store with a conversation in which something was said. */
async function begun() {
  const store = memoryStore({ waitMs: 0 })
  const conversation = createAgent({ model: scriptedModel(['Hello.', 'Yes.']), store }).conversation('conv_a')
  await conversation.send('Hi.')
  return { store, conversation }
}

test('while one works as the writer no other does, and no turn begins; afterwards both may', async () => {
  const { store, conversation } = await begun()
  const second = await asOnlyWriter(store, who, async () => {
    expect((await conversation.send('And?').settled).error).toMatchObject({ code: 'conversation.locked' })
    return [await asOnlyWriter(store, who, async () => 'done')]
  })
  expect(second).toEqual([undefined])
  expect((await conversation.send('And now?')).text).toBe('Yes.')
  expect(await asOnlyWriter(store, who, async () => 'done')).toBe('done')
})

test('a work that fails says so, and leaves the conversation free', async () => {
  const { store } = await begun()
  const failing = asOnlyWriter(store, who, async () => {
    throw new Error('the disk is full')
  })
  await expect(failing).rejects.toThrow('the disk is full')
  expect(await store.conversation('conv_a')).toMatchObject({ held: false })
})

test('nothing is done for a conversation that is deleted, and it is not made again', async () => {
  const { store } = await begun()
  await store.delete('conv_a')
  expect(await asOnlyWriter(store, who, async () => 'done')).toBeUndefined()
  expect(await store.conversation('conv_a')).toBeUndefined()
})
