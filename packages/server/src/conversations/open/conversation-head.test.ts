import { createAgent } from 'turnbuckle'
import { ConversationView, type WireEvent } from 'turnbuckle/client'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { RunningTurns } from '../turns/running-turns.ts'
import { ConversationHead } from './conversation-head.ts'

/** A conversation of two turns, and its head. */
async function twoTurns() {
  const chat = createAgent({ model: scriptedModel(['One.', 'Two.', 'Three.']) }).conversation('c')
  const view = ConversationView.ofLog('c')
  chat.subscribe(event => view.apply(event as WireEvent))
  await chat.send('first')
  await chat.send('second')
  const running = new RunningTurns(100)
  const head = new ConversationHead(chat, view, running)
  return { chat, head, running }
}

test('a turn at the head has the handle at the head; one at another message a branch of it', async () => {
  const { chat, head } = await twoTurns()
  const [, reply] = chat.messages
  expect(head.id).toBe(chat.head)
  expect(head.handleAt(undefined)).toBe(chat)
  expect(head.handleAt(reply?.id).head).toBe(reply?.id)
  expect(head.handleAt(null).messages).toEqual([])
})

test('a second turn at a head that a turn moves is refused; a branch earlier is not', async () => {
  const { chat, head, running } = await twoTurns()
  const turn = chat.send('third')
  const over = running.add(turn)
  head.moveWith(turn, chat)
  expect(() => head.handleAt(undefined)).toThrow(expect.objectContaining({ code: 'turn.running' }))
  expect(head.handleAt(chat.messages[1]?.id).head).toBe(chat.messages[1]?.id)
  await over
})

test('the head moves back with a handle of its own, so that the one before stays where it is', async () => {
  const { chat, head } = await twoTurns()
  const [, reply] = chat.messages
  await head.moveTo(reply?.id ?? null, async work => {
    await work()
  })
  expect([head.id, head.handle === chat, chat.messages.length]).toEqual([reply?.id, false, 4])
})
