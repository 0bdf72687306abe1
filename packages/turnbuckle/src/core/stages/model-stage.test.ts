import { createAgent, middleware, skip, stop, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])

test('stop in wrapModel records no empty reply', async () => {
  const use = [middleware({ name: 'no', wrapModel: () => stop('no') })]
  const { messages, status } = await createAgent({ model: scriptedModel(['hi']), use }).send('go')
  expect([status, messages.map(({ role }) => role)]).toEqual(['stopped', ['user']])
})

test('a ready reply of another role than the assistant is refused', async () => {
  const given = skip({ role: 'user', content: [{ type: 'text', text: 'I said so.' }] })
  const use = [middleware({ name: 'odd', beforeModel: () => given })]
  const { status, error, messages } = await createAgent({ model: looks(), use }).send('Go').settled
  expect(status).toBe('failed')
  expect((error as Error).message).toContain('role "user"')
  expect(messages.map(textOf)).toEqual(['Go'])
})
