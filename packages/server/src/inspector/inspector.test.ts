import { createAgent, middleware } from 'turnbuckle'
import { pii } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { serve } from '../../test/serve.ts'
import { isOver } from '../../test/socket-client.ts'
import { Inspector, type SpanNews } from './inspector.ts'

async function inspected() {
  const news: SpanNews[] = []
  const inspector = new Inspector((_turnId, one) => news.push(one))
  const idle = middleware({ name: 'idle', beforeModel: () => {}, onChunk: () => {} })
  const failing = middleware({
    name: 'failing',
    afterModel: () => {
      throw new Error('no')
    },
  })
  const agent = createAgent({
    model: scriptedModel(['Hi.'], { repeat: true }),
    use: [idle, failing, inspector.middleware],
  })
  const turn = agent.conversation().send('hi')
  await turn.settled
  return { inspector, news, turn }
}

test('each span is told when it begins and when it ends; of an ended turn none is open', async () => {
  const { inspector, news, turn } = await inspected()
  const opened = news.flatMap(one => ('opened' in one ? [one.opened.id] : []))
  const ended = news.flatMap(one => ('ended' in one ? [one.ended.id] : []))
  const atChunks = news.flatMap(one => ('ended' in one && one.ended.at === 'onChunk' ? [one.ended.id] : []))
  expect([...ended].sort()).toEqual([...opened, ...atChunks].sort())
  expect(inspector.trace(turn.id)?.spans.map(({ id }) => id)).toEqual(ended)
  expect(inspector.trace(turn.id)?.open).toEqual([])
})

test('a hook that sees every chunk has one span for each model call, with the number of its calls', async () => {
  const { inspector, news, turn } = await inspected()
  expect(
    inspector
      .figures('idle')
      .map(({ at }) => at)
      .sort(),
  ).toEqual(['beforeModel', 'onChunk'])
  const spans = inspector.trace(turn.id)?.spans ?? []
  const model = spans.find(({ kind, stage }) => kind === 'stage' && stage === 'model')
  const chunks = spans.filter(({ at }) => at === 'onChunk')
  expect(chunks).toMatchObject([{ by: 'idle', parentId: model?.id, count: inspector.figures('idle')[1]?.calls }])
  expect(news.filter(one => 'ended' in one && one.ended.at === 'onChunk')).toHaveLength(1)
  expect(model?.exchanges).toMatchObject([{ model: 'scripted', received: expect.stringContaining('Hi.') }])
  expect(model?.exchanges?.[0]?.sent).toContain('"hi"')
})

test('a failure of a hook is counted as one', async () => {
  const { inspector } = await inspected()
  expect(inspector.figures('failing')).toMatchObject([{ at: 'afterModel', calls: 1, failures: 1 }])
})

test('a turn that a person stops is no failure of the hooks around what it cuts off', async () => {
  const clock = virtualClock()
  const inspector = new Inspector(() => {})
  const around = middleware({ name: 'around', wrapModel: (_, next) => next() })
  const model = scriptedModel([{ text: 'never said', delayMs: 50 }], { clock })
  const turn = createAgent({ model, clock, use: [around, inspector.middleware] }).send('hi')
  await clock.advance(10)
  turn.interrupt()
  await clock.advance(100)
  await turn.settled
  expect(inspector.figures('around')).toMatchObject([{ at: 'wrapModel', calls: 1, failures: 0 }])
})

test('a turn that was forgotten has no trace', async () => {
  const { inspector, turn } = await inspected()
  inspector.forget(turn.id)
  expect(inspector.trace(turn.id)).toBeUndefined()
})

test('model calls are told in short; their whole can be asked for after the trace went to the store', async () => {
  const { inspector, turn } = await inspected()
  const spans = inspector.trace(turn.id)?.spans ?? []
  const calls = (list: readonly (typeof spans)[number][]) => list.flatMap(({ exchanges }) => exchanges ?? [])
  expect(calls(spans)).toMatchObject([{ isShort: true }])
  inspector.forget(turn.id)
  expect(calls(inspector.whole(turn.id, spans))).toEqual([
    { model: 'scripted', sent: expect.stringContaining('"hi"'), received: expect.stringContaining('Hi.') },
  ])
  expect(inspector.whole('another', spans)).toBe(spans)
})

test('a trace has nothing of what a redactor took out', async () => {
  const store = memoryStore()
  const model = scriptedModel(['It is ann@example.com.'])
  const server = await serve({ model, store, use: [pii()] }, { store })
  const id = await server.newConversation()
  const client = await server.follow(id)
  const { turnId } = await client.ask({ type: 'send', conversationId: id, text: 'I am ann@example.com.' })
  await client.until(isOver)
  const read = async () => (await server.call('GET', `/api/turns/${turnId}/trace`)).body
  await expect.poll(async () => (await read()).open).toEqual([])
  const told = JSON.stringify(await read())
  expect(told).toContain('[email]')
  expect(told).not.toContain('ann@example.com')
})
