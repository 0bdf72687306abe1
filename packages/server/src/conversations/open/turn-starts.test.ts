import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { makeConversations } from '../../../test/make-conversations.ts'
import { gate } from '../../../test/serve.ts'

async function talk() {
  const { conversations } = makeConversations({ store: memoryStore() })
  const conversation = await conversations.create('ada', {})
  const run = async (...start: Parameters<typeof conversation.start>) => {
    const started = await conversation.start(...start)
    await conversation.turn(started.turnId)
    return started
  }
  return { conversation, run }
}

test('the same key starts a turn once, for each person; with another body it is refused', async () => {
  const { conversation, run } = await talk()
  const first = await run({ text: 'hi' }, 'ada', 'k')
  expect(await run({ text: 'hi' }, 'ada', 'k')).toEqual(first)
  expect((await run({ text: 'hi' }, 'bob', 'k')).turnId).not.toBe(first.turnId)
  expect(() => conversation.start({ text: 'ho' }, 'ada', 'k')).toThrow('another body')
})

test('another answer begins behind the question of the first, and a branch where it is told to', async () => {
  const { conversation, run } = await talk()
  await run({ text: 'one' }, 'ada')
  const [question, answer] = conversation.view().nodes
  await run({ regenerate: answer?.id ?? '' }, 'ada')
  await run({ text: 'two', parentId: answer?.id ?? '' }, 'ada')
  const parents = conversation.view().nodes.map(({ parentId }) => parentId)
  expect(parents.slice(0, 4)).toEqual([null, question?.id, question?.id, answer?.id])
})

test('an answer to nothing cannot be asked for again', async () => {
  const { conversation } = await talk()
  await expect(conversation.start({ regenerate: 'none' }, 'ada')).rejects.toMatchObject({ code: 'message.missing' })
})

test('who starts a turn in a conversation that is deleted before it begins is told so', async () => {
  const store = memoryStore()
  const [writes, mayWrite] = [gate(), gate()]
  const commit = store.driver.commit.bind(store.driver)
  store.driver.commit = async given => {
    writes.open()
    await mayWrite.opened
    return commit(given)
  }
  const { conversations } = makeConversations({ store })
  const conversation = await conversations.create('ada', {})
  const refused = expect(conversation.start({ text: 'hi' }, 'ada')).rejects.toMatchObject({
    code: 'conversation.deleted',
  })
  await writes.opened
  const gone = conversation.delete()
  mayWrite.open()
  await Promise.all([refused, gone])
})
