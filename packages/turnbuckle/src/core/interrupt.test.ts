import { createAgent, middleware, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const redact = () =>
  middleware({
    name: 'redact',
    beforeAppend(ctx) {
      ctx.message = {
        ...ctx.message,
        content: [{ type: 'text', text: textOf(ctx.message).replaceAll('secret', '***') }],
      }
    },
  })

test('an interrupt before the message was looked at records nothing of it', async () => {
  const chat = createAgent({ model: scriptedModel(['Hello.']), use: [redact()] }).conversation()
  const turn = chat.send('my secret')
  turn.interrupt()
  expect((await turn).status).toBe('interrupted')
  expect(chat.messages).toEqual([])
})

test('an interjection that an interrupt kept from being heard goes through the hooks of the next turn', async () => {
  const model = scriptedModel(['One.', 'Two.', 'Three.'])
  const chat = createAgent({ model, use: [redact()] }).conversation()
  const turn = chat.send('Hi')
  for await (const event of turn)
    if (event.type === 'message.started') {
      turn.interject('another secret')
      turn.interrupt()
    }
  await chat.send('Go on')
  expect(chat.messages.map(textOf)).toEqual(['Hi', 'One.', 'Go on', 'Two.', 'another ***', 'Three.'])
})
