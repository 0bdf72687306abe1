import { createAgent, middleware, stop, textOf } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
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

test.each([
  { what: 'with something to say', stops: true },
  { what: 'with an interjection that is left', stops: false },
])('a turn $what that is interrupted where a hook hangs does not keep the next one waiting', async ({ stops }) => {
  const clock = virtualClock()
  const hangs = middleware({
    name: 'hangs',
    beforeAppend: ({ message }) => (message.role === 'assistant' ? new Promise<never>(() => {}) : undefined),
    afterModel: () => (stops ? stop('enough', { say: 'Good bye.' }) : undefined),
  })
  const agent = createAgent({ model: scriptedModel(['One.', 'Two.', 'Three.']), use: [hangs], clock })
  const chat = agent.conversation()
  const turn = chat.send('Hi')
  if (!stops) turn.interject('By the way.')
  await clock.advance(1000)
  turn.interrupt()
  agent.disable('hangs')
  const next = chat.send('Go on')
  // However long hooks may take to clean up.
  await clock.advance(5000)
  expect((await next).status).toBe('completed')
  expect(clock.timers).toBe(0)
})
