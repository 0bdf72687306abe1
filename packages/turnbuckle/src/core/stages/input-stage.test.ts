import { createAgent, middleware, type NewMessage, rewind, type Snapshot, skip } from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { callsEcho, run } from '../../../test/support/echo-turn.ts'
import { echo } from '../../../test/support/echoing.ts'

describe('a turn begins with what a user says', () => {
  test.each<{ what: string; sent: unknown }>([
    { what: "an assistant's message", sent: { role: 'assistant', content: 'Hi.' } },
    { what: 'a call', sent: { role: 'user', content: [{ type: 'call', id: 'a', name: 'echo', args: {} }] } },
    {
      what: 'a result',
      sent: { role: 'tool', content: [{ type: 'result', id: 'a', name: 'e', status: 'ok', value: 1 }] },
    },
    { what: 'a role that is none', sent: { role: 'banana', content: 'Hi.' } },
  ])('not with $what', async ({ sent }) => {
    const refused = { code: 'message.invalid' }
    const chat = createAgent({ model: callsEcho(), tools: [echo] }).conversation()
    expect(() => chat.send(sent as NewMessage)).toThrow(expect.objectContaining(refused))
    expect(chat.messages).toEqual([])
    // Nor with what a hook makes of it.
    for (const hook of ['beforeTurn', 'beforeInput']) {
      const assigns = (ctx: { message: unknown }) => {
        ctx.message = sent
      }
      const { result, says } = await run([middleware({ name: 'm', [hook]: assigns } as never)])
      expect(result).toMatchObject({ status: 'failed', by: 'm', error: { cause: refused } })
      expect(says).toEqual(['user'])
    }
    const { result } = await run([middleware({ name: 'm', beforeInput: () => skip(sent) })])
    expect(result).toMatchObject({ status: 'failed', error: { cause: refused } })
  })

  test.each<{ what: string; sent: string | NewMessage }>([
    { what: 'no text', sent: '' },
    { what: 'no parts', sent: { role: 'user', content: [] } },
  ])('nor with $what, unless a hook has an answer to that', async ({ sent }) => {
    const model = scriptedModel(['Hi.'])
    const chat = createAgent({ model, use: [middleware({ name: 'm' })] }).conversation()
    expect(await chat.send(sent).settled).toMatchObject({ status: 'failed', error: { code: 'message.empty' } })
    expect(chat.messages).toEqual([])
    await chat.send('Go.')
    expect(checkHistory(chat.messages)).toEqual([])
    const answers = middleware({ name: 'answers', beforeTurn: () => skip('Say something.') })
    expect(await createAgent({ model, use: [answers] }).send(sent)).toMatchObject({ text: 'Say something.' })
  })

  test('nor is nothing interjected', async () => {
    const turn = createAgent({ model: scriptedModel(['Hi.']) }).send('Go.')
    expect(() => turn.interject('')).toThrow(expect.objectContaining({ code: 'message.empty' }))
    await turn
  })

  test('a rewind to before the turn goes on with its message', async () => {
    let start: Snapshot | undefined
    const back = middleware({
      name: 'back',
      beforeTurn: ctx => {
        start = ctx.snapshot()
      },
      afterModel: ctx => (ctx.step === 0 ? rewind(start as Snapshot) : undefined),
    })
    const model = scriptedModel(['One.', 'Two.'])
    const { says } = await run([back], model)
    expect(says).toEqual(['user', 'assistant'])
    expect(model.prompts.map(({ messages }) => messages.length)).toEqual([1, 1])
  })

  test('what would leave the turn without its message is not restored', async () => {
    let start: Snapshot | undefined
    let refused: unknown
    const back = middleware({
      name: 'back',
      beforeTurn: ctx => {
        start = ctx.snapshot()
        ctx.restore(start)
      },
      beforeModel: ctx => {
        try {
          ctx.restore(start as Snapshot)
        } catch (error) {
          refused = error
        }
      },
    })
    const { says } = await run([back], scriptedModel(['One.']))
    expect(refused).toMatchObject({ code: 'history.orphan' })
    expect(says).toEqual(['user', 'assistant'])
  })
})
