import {
  again,
  agentTool,
  createAgent,
  type Middleware,
  middleware,
  replace,
  rewind,
  skip,
  stop,
  tool,
} from 'turnbuckle'
import { approval, createTimeline, critic, trace } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { redact } from './redact.ts'

const hidden = /EMP-\d{6}/

/** Everything that somebody could see or find of a turn. */
async function seen(script: Parameters<typeof scriptedModel>[0], use: readonly Middleware[], message = 'Go.') {
  const store = memoryStore()
  const look = tool({
    name: 'look',
    run(_args, ctx) {
      ctx.emit({ type: 'tool.progress', text: 'EMP-123456 is looked up' })
      return { owner: 'EMP-123456' }
    },
  })
  const breaks = tool({
    name: 'breaks',
    run: () => {
      throw new Error('EMP-123456 is not there')
    },
  })
  const model = scriptedModel(script)
  const timeline = createTimeline()
  const tools = [look, breaks]
  const agent = createAgent({ model, tools, store, use: [trace(timeline), ...use, ...redact(hidden, '[employee]')] })
  const turn = agent.conversation('c').send(message)
  const events: unknown[] = []
  for await (const event of turn) {
    events.push(event)
    if (event.type === 'request.opened')
      turn.answer(event.requestId, { decision: 'deny', reason: 'EMP-123456 says no' })
    if (event.type === 'message.added' && message === 'Wait.') turn.interrupt('EMP-123456 has come')
  }
  const { error: _, ...result } = await turn.settled
  const records = [await store.events('c'), await store.nodes('c'), await store.decisions('c', turn.id)]
  return { all: JSON.stringify([events, result, turn.explain(), records, model.prompts, timeline.of(turn.id)]), result }
}

const inPieces = [...'I am EMP-123456, and so on.'].map(text => ({ type: 'text' as const, text }))
const reasons = middleware({ name: 'reasons', afterDecide: () => stop('EMP-123456 has left') })
const sends = middleware({
  name: 'sends',
  afterDecide: ctx => (ctx.step ? undefined : rewind(0, 'Not EMP-123456.')),
})
const says = middleware({ name: 'says', afterDecide: () => stop('enough', { say: 'EMP-123456 is gone.' }) })
const uncovers = middleware({ name: 'uncovers', afterTool: () => replace({ status: 'ok', value: ['EMP-123456'] }) })
const mends = middleware({ name: 'mends', priority: 2000, onError: () => replace('EMP-123456') })
const knows = middleware({ name: 'knows', beforeTool: () => skip('EMP-123456') })
const wraps = middleware({ name: 'wraps', wrapTool: () => 'EMP-123456' })
const watches = middleware({
  name: 'watches',
  onEvent() {
    throw new Error('EMP-123456 was seen')
  },
})
const throws = middleware({
  name: 'throws',
  beforeModel() {
    throw new Error('EMP-123456 was sent')
  },
})
const judge = () => ({ accepted: false, advice: 'Name EMP-123456.' })
const asks = middleware({ name: 'asks', afterDecide: ctx => (ctx.step ? undefined : again('Ask EMP-123456.')) })

test.each<{ what: string; script: Parameters<typeof scriptedModel>[0]; use?: Middleware[]; message?: string }>([
  { what: 'a reply in pieces', script: [{ chunks: inPieces }] },
  { what: 'reasoning', script: [{ reasoning: 'It is EMP-123456.', text: 'Done by [employee].' }] },
  { what: 'a message', script: ['[employee]?'], message: 'Who is EMP-123456?' },
  { what: 'a result', script: [{ calls: [{ name: 'look' }] }, 'Done.'] },
  { what: 'a call', script: [{ calls: [{ name: 'look', args: { of: 'EMP-123456' } }] }, 'Done.'] },
  { what: 'the reason of a decision', script: ['Done.'], use: [reasons] },
  { what: 'what again says', script: ['Done.', 'Done.'], use: [asks] },
  { what: 'what rewind says', script: ['Done.', 'Done.'], use: [sends] },
  { what: 'what stop says', script: ['Done.'], use: [says] },
  { what: 'the advice of a critic', script: ['Done.', 'Done.'], use: [critic(judge, 1)] },
  { what: 'a result that an after hook gives', script: [{ calls: [{ name: 'look' }] }, 'Done.'], use: [uncovers] },
  { what: 'a result in place of an error', script: [{ calls: [{ name: 'breaks' }] }, 'Done.'], use: [mends] },
  { what: 'a result without a call', script: [{ calls: [{ name: 'look' }] }, 'Done.'], use: [knows] },
  { what: 'a result of a wrap', script: [{ calls: [{ name: 'look' }] }, 'Done.'], use: [wraps] },
  { what: 'the error of a tool', script: [{ calls: [{ name: 'breaks' }] }, 'Done.'] },
  { what: 'the error of an observer', script: ['Done.'], use: [watches] },
  { what: 'the error of a hook', script: ['Done.'], use: [throws] },
  { what: 'the reason of an answer', script: [{ calls: [{ name: 'look' }] }, 'Done.'], use: [approval()] },
  {
    what: 'a warning of the provider',
    script: [{ chunks: [{ type: 'warning', text: 'EMP-123456 is odd' }, ...inPieces] }],
  },
  { what: 'the reason of an interrupt', script: ['Done.'], message: 'Wait.' },
])('nobody sees a match in $what', async ({ script, use = [], message }) => {
  const { all } = await seen(script, use, message)
  expect(all).not.toContain('EMP-123456')
  expect(all).toContain('[employee]')
})

test('a word is found as it is, and what is none flows on', async () => {
  const turn = createAgent({
    model: scriptedModel([{ chunks: [...'hunt hunter2!'].map(text => ({ type: 'text', text })) }]),
    use: redact(['hunter2', /\bfoo\b/]),
  }).send('Go.')
  const shown: string[] = []
  for await (const text of turn.text) shown.push(text)
  expect(shown.join('')).toBe('hunt ***!')
})

test.each([
  { options: {}, status: 'blocked' },
  { options: { calls: 'pass' as const }, status: 'ok' },
])('a call with a match is blocked unless told: $options', async ({ options, status }) => {
  const look = tool({ name: 'look', run: () => 'seen' })
  const model = scriptedModel([{ calls: [{ name: 'look', args: { of: 'hunter2' } }] }, 'Done.'])
  const { messages } = await createAgent({ model, tools: [look], use: redact('hunter2', '***', options) }).send('Go.')
  expect(messages.flatMap(({ content }) => content).filter(({ type }) => type === 'result')).toMatchObject([{ status }])
})

test('a mistake is told where it is made', () => {
  expect(() => redact(5 as never, 'x')).toThrow('redact needs pattern')
  expect(() => redact('', 'x')).toThrow('redact needs pattern')
})

test('nobody sees a match in the results of a sub-agent: neither who follows the caller, nor who reads its log', async () => {
  const store = memoryStore()
  const look = tool({
    name: 'look',
    run(_args, ctx) {
      ctx.emit({ type: 'tool.progress', text: 'EMP-123456' })
      return ['EMP-123456']
    },
  })
  const child = createAgent({ model: scriptedModel([{ calls: [{ name: 'look' }] }, 'Done.']), tools: [look], store })
  const turn = createAgent({
    model: scriptedModel([{ calls: [{ name: 'child', args: { task: 'Look.' } }] }, 'Done.']),
    tools: [agentTool(child, { name: 'child' })],
    store,
    use: redact(hidden, '[employee]'),
  }).send('Go.')
  const seenBy: unknown[] = []
  for await (const event of turn) seenBy.push(event)
  for (const { id } of await store.list()) seenBy.push(await store.events(id), await store.nodes(id))
  expect(JSON.stringify(seenBy)).toContain('[employee]')
  expect(JSON.stringify(seenBy)).not.toContain('EMP-123456')
})

test('a result that its redactor throws at is withheld', async () => {
  const breaks = middleware({
    name: 'breaks',
    guard: true,
    redactsResult() {
      throw new Error('EMP-123456')
    },
  })
  const look = tool({ name: 'look', run: () => 'EMP-123456' })
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Done.'])
  const turn = createAgent({ model, tools: [look], use: [breaks] }).send('Go.')
  const events: unknown[] = []
  for await (const event of turn) events.push(event)
  expect(JSON.stringify(events)).toContain('The result is withheld')
  expect(JSON.stringify(events)).not.toContain('EMP-123456')
})
