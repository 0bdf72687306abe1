import { middleware } from 'turnbuckle'
import { expect, test } from 'vitest'
import { chatSession } from '../../../test/chat-session.ts'
import { ShownChat } from './shown-chat.ts'

const shown = () => {
  const { session } = chatSession({ use: [middleware({ name: 'a' }), middleware({ name: 'b' })] })
  return new ShownChat(session.composed)
}

test('those who listen are told of every change, until they stop', () => {
  const chat = shown()
  let told = 0
  const stop = chat.subscribe(() => told++)
  chat.set({ hint: 'a' })
  chat.set(state => ({ ...state, hint: `${state.hint}b` }))
  stop()
  chat.say('More.')
  expect([told, chat.state.hint, chat.state.past.length]).toEqual([2, 'ab', 1])
})

test('the status tells of the agent as it is when it is looked at again', () => {
  const chat = shown()
  expect(chat.state).toMatchObject({ model: 'scripted', folder: 'nowhere' })
  Object.assign(chat.composed, { model: { id: 'another' } })
  expect(chat.state.model).toBe('scripted')
  chat.refresh()
  expect(chat.state.model).toBe('another')
})

test('idle waits for the turn that runs', async () => {
  const chat = shown()
  await chat.idle()
  chat.set({ running: true })
  let idle = false
  const waiting = chat.idle().then(() => {
    idle = true
  })
  await Promise.resolve()
  expect(idle).toBe(false)
  chat.set({ running: false })
  await waiting
})

test('folding thoughts draws the transcript anew', () => {
  const chat = shown()
  const { epoch } = chat.state
  chat.toggleReasoning()
  expect(chat.state).toMatchObject({ unfolded: true, epoch: epoch + 1 })
})
