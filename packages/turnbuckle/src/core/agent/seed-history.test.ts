import { createAgent, type NewMessage, type Part } from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

describe('a given history', () => {
  const call = (id: string): Part => ({ type: 'call', id, name: 'look', args: {} })

  const result = (id: string): Part => ({ type: 'result', id, name: 'look', status: 'ok', value: 1 })

  test.each<{ what: string; messages: NewMessage[]; roles: string[] }>([
    {
      what: 'plain',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Yes?' },
      ],
      roles: ['user', 'assistant'],
    },
    {
      what: 'a dangling call is answered',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [call('a'), call('b')] },
        { role: 'tool', content: [result('a')] },
      ],
      roles: ['user', 'assistant', 'tool', 'tool'],
    },
    {
      what: 'a result for nothing is dropped',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'tool', content: [result('z')] },
      ],
      roles: ['user'],
    },
    {
      what: 'a call that somebody talked over is answered first',
      messages: [
        { role: 'assistant', content: [call('a')] },
        { role: 'user', content: 'Hm' },
      ],
      roles: ['assistant', 'tool', 'user'],
    },
    {
      what: 'results in another order are put in order',
      messages: [
        { role: 'assistant', content: [call('a'), call('b')] },
        { role: 'tool', content: [result('b')] },
        { role: 'tool', content: [result('a')] },
      ],
      roles: ['assistant', 'tool', 'tool'],
    },
    {
      what: 'results in one message are kept',
      messages: [
        { role: 'assistant', content: [call('a'), call('b')] },
        { role: 'tool', content: [result('a'), result('b')] },
      ],
      roles: ['assistant', 'tool'],
    },
  ])('$what', async ({ messages, roles }) => {
    const model = scriptedModel(['Fine.'])
    const chat = createAgent({ model }).conversation({ messages })
    expect(checkHistory(chat.messages)).toEqual([])
    expect(chat.messages.map(({ role }) => role)).toEqual(roles)
    await chat.send('Go on')
    expect(checkHistory(model.prompts[0]?.messages ?? [])).toEqual([])
  })

  test.each([
    { what: 'a role that there is not', message: { role: 'nobody', content: 'Hi' } },
    { what: 'a call that a user makes', message: { role: 'user', content: [call('a')] } },
    { what: 'no content', message: { role: 'user' } },
    { what: 'nothing', message: null },
  ])('$what is refused', ({ message }) => {
    const agent = createAgent({ model: scriptedModel([]) })
    expect(() => agent.conversation({ messages: [message as NewMessage] })).toThrow(
      expect.objectContaining({ code: 'message.invalid' }),
    )
  })
})
