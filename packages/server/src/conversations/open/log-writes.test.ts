import { middleware } from 'turnbuckle'
import { approval, pii } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { add, callsAdd } from '../../../test/adding.ts'
import { serve } from '../../../test/serve.ts'
import { isOver } from '../../../test/socket-client.ts'

test('an answer to a request whose time has run out is refused with 410', async () => {
  const clock = virtualClock()
  const asks = middleware({
    name: 'asks',
    beforeTurn: async ctx => void (await ctx.ask('clarification', {}, { timeout: 1000, fallback: 'none' })),
  })
  const server = await serve({ model: scriptedModel(['ok']), use: [asks], clock })
  const id = await server.newConversation()
  const client = await server.follow(id)
  await client.ask({ type: 'send', conversationId: id, text: 'x' })
  const { requestId, deadline } = await client.until(({ type }) => type === 'request.opened')
  expect(deadline).toBe(clock.now() + 1000)
  await clock.advance(1000)
  await client.until(({ type }) => type === 'request.expired')
  expect(await server.call('POST', `/api/requests/${requestId}/answer`, {})).toMatchObject({
    status: 410,
    body: { error: { code: 'request.expired' } },
  })
})

test('an answer may be any JSON; a permission must be one', async () => {
  const given: unknown[] = []
  const asks = middleware({
    name: 'asks',
    beforeTurn: async ctx => void given.push(await ctx.ask('clarification', {})),
  })
  const server = await serve({ model: scriptedModel([callsAdd, 'ok']), tools: [add], use: [asks, approval()] })
  const id = await server.newConversation()
  const client = await server.follow(id)
  await client.ask({ type: 'send', conversationId: id, text: 'x' })
  const open = async (kind: string) =>
    (await client.until(frame => frame.type === 'request.opened' && frame.kind === kind)).requestId
  expect((await server.call('POST', `/api/requests/${await open('clarification')}/answer`, '"Oslo"')).status).toBe(200)
  const permission = `/api/requests/${await open('permission')}/answer`
  for (const wrong of ['"allow"', '[]', 'null', '{}', '{"decision":"yes"}', '{"decision":"allow","scope":"ever"}'])
    expect(await server.call('POST', permission, wrong)).toMatchObject({
      status: 422,
      body: { error: { code: 'request.invalid' } },
    })
  expect((await server.call('POST', permission, { decision: 'allow', scope: 'once' })).status).toBe(200)
  await client.until(isOver)
  expect(given).toEqual(['Oslo'])
})

test('of two who answer at the same time one is told that the other was first, and what was decided', async () => {
  const server = await serve({ model: scriptedModel([callsAdd, 'ok']), tools: [add], use: [approval()] })
  const id = await server.newConversation()
  const [one, two] = [await server.follow(id), await server.follow(id)]
  await one.ask({ type: 'send', conversationId: id, text: 'x' })
  const { requestId } = await two.until(({ type }) => type === 'request.opened')
  const answers = await Promise.all([
    one.ask({ type: 'answer', requestId, decision: 'allow' }),
    two.ask({ type: 'answer', requestId, decision: 'deny' }),
  ])
  const [first] = answers.filter(({ ok }) => ok)
  expect(answers.find(({ ok }) => !ok)).toMatchObject({
    status: 409,
    error: { code: 'request.answered' },
    decision: first.decision,
  })
  await one.until(isOver)
  await two.until(isOver)
  expect(one.events).toEqual(two.events)
})

test.each([
  { sent: { answer: 'blue' }, decision: { answer: 'blue' } },
  { sent: { answer: { id: 7, type: 'colour' } }, decision: { id: 7, type: 'colour' } },
  { sent: { answer: { deep: true }, more: 1 }, decision: { answer: { deep: true }, more: 1 } },
  { sent: {}, decision: {} },
])('an answer over the socket has the fields that it has over HTTP: $sent', async ({ sent, decision }) => {
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      await ctx.ask('colour', { question: 'Which?' })
    },
  })
  const server = await serve({ model: scriptedModel(['Fine.']), use: [asks] })
  const id = await server.newConversation()
  const client = await server.follow(id)
  await client.ask({ type: 'send', conversationId: id, text: 'hi' })
  const { requestId } = await client.until(({ type }) => type === 'request.opened')
  expect(await client.ask({ type: 'answer', requestId, ...sent })).toMatchObject({ ok: true, decision })
  expect((await client.until(({ type }) => type === 'request.answered')).decision).toEqual(decision)
})

test('an answer whose reason a redactor has changed is taken, and is in the audit list', async () => {
  const use = [approval(), pii()]
  const server = await serve({ model: scriptedModel([callsAdd, 'ok']), tools: [add], use })
  const id = await server.newConversation()
  const client = await server.follow(id)
  await client.ask({ type: 'send', conversationId: id, text: 'x' })
  const { requestId } = await client.until(({ type }) => type === 'request.opened')
  const answer = { decision: 'deny', reason: 'Ask ann@example.com.' }
  expect((await server.call('POST', `/api/requests/${requestId}/answer`, answer)).status).toBe(200)
  const { decision } = await client.until(({ type }) => type === 'request.answered')
  expect(decision).toEqual({ decision: 'deny', reason: 'Ask [email].' })
  await client.until(isOver)
  const { body } = await server.call('GET', '/api/audit')
  expect(body.entries).toMatchObject([{ requestId, decision: 'deny' }])
})
