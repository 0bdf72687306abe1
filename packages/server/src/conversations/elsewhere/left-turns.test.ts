import type { Model } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test, vi } from 'vitest'
import { makeConversations } from '../../../test/make-conversations.ts'

const hangs: Model = {
  id: 'hangs',
  async *stream() {
    await new Promise(() => {})
    yield { type: 'text', text: '' }
  },
}

test('turns that the last process left go on, also where nobody opens their conversations', async () => {
  const { driver } = memoryStore()
  const store = () => createStore(driver, { leaseMs: 0 })
  const { conversations: first } = makeConversations({ store: store(), model: hangs })
  const { id } = await first.create('ada', {})
  const { turnId } = await first.start('ada', id, { text: 'hi' }, undefined)
  const { conversations: second } = makeConversations({ store: store(), model: scriptedModel(['Resumed.']) })
  await second.findLeftTurns()
  expect(await second.list.page('ada', 9)).toMatchObject([{ id, running: true }])
  const failed = vi.fn()
  await second.leftTurns.resumeFound(failed)
  expect(await (await second.ofTurn('ada', turnId, 'talk')).turn(turnId)).toMatchObject({ text: 'Resumed.' })
  expect(failed).not.toHaveBeenCalled()
})

test('a server that is closed goes on with nothing', async () => {
  const { driver } = memoryStore()
  const store = () => createStore(driver, { leaseMs: 0 })
  const { conversations: first } = makeConversations({ store: store(), model: hangs })
  const { id } = await first.create('ada', {})
  await first.start('ada', id, { text: 'hi' }, undefined)
  const model = scriptedModel(['Resumed.'])
  const { conversations: second } = makeConversations({ store: store(), model })
  await second.findLeftTurns()
  second.close()
  await second.leftTurns.resumeFound(() => expect.unreachable())
  expect(model.prompts).toEqual([])
})
