import { createAgent, type Event, middleware, stop } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type Notice, type NotifyOptions, notify } from './notify.ts'

async function told(
  script: Parameters<typeof scriptedModel>[0],
  options: NotifyOptions = {},
  ms = 0,
): Promise<string[]> {
  const clock = virtualClock()
  const notices: Notice[] = []
  const limit = middleware({ name: 'limit', beforeModel: ctx => (ctx.step ? stop('enough') : undefined) })
  const model = scriptedModel(script, { clock })
  const turn = createAgent({ model, clock, use: [limit, notify(notice => notices.push(notice), options)] }).send('hi')
  await clock.advance(ms)
  await turn.settled
  return notices.map(({ text }) => text)
}

describe('notify', () => {
  test.each<{
    name: string
    script: Parameters<typeof scriptedModel>[0]
    options?: NotifyOptions
    ms?: number
    says: string[]
  }>([
    { name: 'a completed turn', script: ['hello'], says: ['Done: hello'] },
    { name: 'a long answer is cut', script: ['x'.repeat(300)], says: [`Done: ${'x'.repeat(199)}…`] },
    { name: 'a failed one', script: [{ error: new Error('down') }], says: ['The turn failed (model: down)'] },
    { name: 'a stopped one', script: [{ calls: [{ name: 'none' }] }], says: ['The turn was stopped (limit: enough)'] },
    { name: 'only what is wanted', script: ['hello'], options: { on: ['turn.failed'] }, says: [] },
    { name: 'a short turn may be left out', script: ['hello'], options: { after: 100 }, says: [] },
    {
      name: 'a long turn is told',
      script: [{ text: 'hello', delayMs: 100 }],
      ms: 100,
      options: { after: 100 },
      says: ['Done: hello'],
    },
  ])('$name', async ({ script, options, ms, says }) => {
    expect(await told(script, options, ms)).toEqual(says)
  })

  test('a person who is asked is told', async () => {
    const notices: Notice[] = []
    const asks = middleware({
      name: 'asks',
      beforeTurn: async ctx => void (await ctx.ask('permission', {}, { fallback: 'deny' })),
    })
    const turn = createAgent({ model: scriptedModel(['x']), use: [asks, notify(notice => notices.push(notice))] }).send(
      'hi',
    )
    for await (const event of turn)
      if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'allow' })
    expect(notices.map(({ text }) => text)).toEqual(['Waiting for you: permission', 'Done: x'])
    expect(notices[0]).toMatchObject({ turnId: turn.id, conversationId: turn.conversationId })
  })

  test('what cannot be sent is reported, and the turn goes on', async () => {
    const failing = notify(() => Promise.reject(new Error('no network')), { on: ['turn.started', 'message.added'] })
    const turn = createAgent({ model: scriptedModel(['x']), use: [failing] }).send('hi')
    const events: Event[] = []
    for await (const event of turn) events.push(event)
    expect((await turn).status).toBe('completed')
    expect(events.find(({ type }) => type === 'hook.failed')).toMatchObject({ name: 'notify', error: 'no network' })
  })
})
