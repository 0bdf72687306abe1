import { middleware, type NewMessage, type Part, replace, skip } from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { run } from '../../../test/support/echo-turn.ts'

describe('no message says nothing, or what its role does not', () => {
  test.each<{ what: string; added: unknown; code: string }>([
    { what: 'an empty text', added: { role: 'user', content: '' }, code: 'message.empty' },
    { what: 'no parts', added: { role: 'user', content: [] }, code: 'message.empty' },
    { what: 'an unknown role', added: { role: 'banana', content: 'Hi.' }, code: 'message.invalid' },
    { what: "a tool's text", added: { role: 'tool', content: 'Hi.' }, code: 'message.invalid' },
    {
      what: "a user's call",
      added: { role: 'user', content: [{ type: 'call', id: 'z', name: 'echo', args: {} }] },
      code: 'message.invalid',
    },
    { what: 'nothing', added: null, code: 'message.invalid' },
  ])('$what is not put into the history', async ({ added, code }) => {
    let refused: unknown
    const adds = middleware({
      name: 'adds',
      beforeModel: ctx => {
        try {
          ctx.messages.append(added as NewMessage)
        } catch (error) {
          refused = error
        }
      },
    })
    const { chat } = await run([adds])
    expect(refused).toMatchObject({ code })
    expect(checkHistory(chat.messages)).toEqual([])
  })

  test.each(['beforeModel', 'afterModel'])('an empty text in a reply of %s is left out', async hook => {
    const content: Part[] = [{ type: 'text', text: '' }]
    const gives = () => (hook === 'beforeModel' ? skip(content) : replace({ role: 'assistant', content }))
    const { says, chat } = await run([middleware({ name: 'm', [hook]: gives } as never)], scriptedModel(['Hi.']))
    expect(says).toEqual(['user'])
    expect(checkHistory(chat.messages)).toEqual([])
  })

  test('a reply that was shown and then emptied is withdrawn', async () => {
    const blank = middleware({
      name: 'blank',
      beforeAppend: ctx => {
        if (ctx.message.role === 'assistant') ctx.message = { ...ctx.message, content: [] }
      },
    })
    const { events, result, says } = await run([blank], scriptedModel(['Hi.']))
    expect(result).toMatchObject({ status: 'failed', error: { code: 'message.changed' } })
    expect(says).toEqual(['user'])
    const told = events
      .filter(event => 'messageId' in event && String(event.messageId).endsWith('a0'))
      .map(({ type }) => type)
    expect(told).toEqual(['message.started', 'message.delta', 'message.discarded'])
  })
})
