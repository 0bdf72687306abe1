import { type Chunk, createAgent, type Event, type Model, middleware, type ShownChunk, tool } from 'turnbuckle'
import { retry, secrets } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const add = tool({ name: 'add', run: ({ a, b }: { a: number; b: number }) => a + b })
const calling = (text: string, id = 'c1', name = 'add'): Chunk => ({ type: 'calling', id, name, text })
const call = (args: unknown, id = 'c1'): Chunk => ({ type: 'call', id, name: 'add', args })
const pieces = [calling(''), calling('{"a":1,'), calling('"b":2}'), call('{"a":1,"b":2}')]

async function eventsOf(turn: AsyncIterable<Event>): Promise<Event[]> {
  const events: Event[] = []
  for await (const event of turn) events.push(event)
  return events
}
const told = (events: readonly Event[]) => events.map(({ type }) => type)
const deltas = (events: readonly Event[]) =>
  events.flatMap(event =>
    event.type === 'tool.delta' || event.type === 'tool.text' ? [[event.callId, event.offset, event.text]] : [],
  )

test('a call is shown while its arguments are written, and is then the same call', async () => {
  const turn = createAgent({ model: scriptedModel([{ chunks: pieces }, 'Three.']), tools: [add] }).send('add')
  const events = await eventsOf(turn)
  expect(told(events).slice(2, 9)).toEqual([
    'message.started',
    'tool.delta',
    'tool.delta',
    'tool.delta',
    'message.added',
    'tool.pending',
    'tool.executing',
  ])
  expect(deltas(events)).toEqual([
    ['c1', 0, ''],
    ['c1', 0, '{"a":1,'],
    ['c1', 7, '"b":2}'],
  ])
  const shown = events.filter(event => 'seq' in event)
  expect(shown.map(({ seq }) => seq)).toEqual(shown.map((_, i) => i + 1))
  expect((await turn).messages[1]?.content).toMatchObject([{ type: 'call', id: 'c1', args: { a: 1, b: 2 } }])
})

test('who comes late is told in one piece what is written so far', async () => {
  let goOn = () => {}
  const waits = new Promise<void>(resolve => {
    goOn = resolve
  })
  let half = () => {}
  const halfWay = new Promise<void>(resolve => {
    half = resolve
  })
  const model: Model = {
    id: 'slow',
    async *stream({ messages }) {
      if (messages.length > 1) return yield { type: 'text', text: 'Three.' }
      yield* pieces.slice(0, 2)
      half()
      await waits
      yield* pieces.slice(2)
    },
  }
  const turn = createAgent({ model, tools: [add] }).send('add')
  await halfWay
  const late = eventsOf(turn)
  goOn()
  expect(deltas(await late)).toEqual([
    ['c1', 0, '{"a":1,'],
    ['c1', 7, '"b":2}'],
  ])
})

test('an id that is used twice is shown by the ids that the calls get', async () => {
  const chunks = [calling('{"a":1}'), call({ a: 1 }), calling('{"a":2}'), call({ a: 2 })]
  const turn = createAgent({ model: scriptedModel([{ chunks }, 'Done.']), tools: [add] }).send('add')
  expect(deltas(await eventsOf(turn))).toEqual([
    ['c1', 0, '{"a":1}'],
    ["c1'", 0, '{"a":2}'],
  ])
  expect((await turn).messages[1]?.content).toMatchObject([{ id: 'c1' }, { id: "c1'" }])
})

test('a call that was never whole leaves no message behind when the turn is interrupted', async () => {
  const model: Model = {
    id: 'stuck',
    async *stream() {
      yield calling('{"a":')
      await new Promise(() => {})
    },
  }
  const turn = createAgent({ model, tools: [add] }).send('add')
  const events: Event[] = []
  for await (const event of turn) {
    events.push(event)
    if (event.type === 'tool.delta') turn.interrupt()
  }
  expect(told(events)).toEqual(['turn.started', 'message.added', 'message.started', 'tool.delta', 'turn.interrupted'])
  expect((await turn).messages.map(({ role }) => role)).toEqual(['user'])
})

test('a call that an abandoned attempt has shown is withdrawn', async () => {
  const model = scriptedModel([{ chunks: [calling('{"a":')], error: new Error('cut') }, { chunks: pieces }, 'Three.'])
  const use = [retry({ times: 1, when: () => true, baseMs: 0 })]
  const events = await eventsOf(createAgent({ model, tools: [add], use }).send('add'))
  const [first, second] = events.filter(event => event.type === 'message.started')
  expect(events.find(event => event.type === 'message.discarded')).toMatchObject({ messageId: first?.messageId })
  expect(events.findLast(event => event.type === 'tool.delta')).toMatchObject({ messageId: second?.messageId })
})

test.each([
  { name: 'drop them', chunks: [] as Chunk[], shown: [] },
  {
    name: 'change them',
    chunks: [calling('…')],
    shown: [
      ['c1', 0, '…'],
      ['c1', 1, '…'],
      ['c1', 2, '…'],
    ],
  },
])('onChunk hooks see the pieces first, and may $name', async ({ chunks, shown }) => {
  const hook = middleware({ name: 'hook', onChunk: chunk => (chunk.type === 'calling' ? chunks : undefined) })
  const turn = createAgent({ model: scriptedModel([{ chunks: pieces }, 'Three.']), tools: [add], use: [hook] })
  expect(deltas(await eventsOf(turn.send('add')))).toEqual(shown)
})

test('what a redaction has not looked at as a whole is not shown in pieces: only the name is', async () => {
  const key = `ghp_${'a'.repeat(36)}`
  const chunks = [calling(`{"a":"${key.slice(0, 10)}`), calling(`${key.slice(10)}"}`), call({ a: key })]
  const model = scriptedModel([{ chunks }, 'Done.'])
  const events = await eventsOf(createAgent({ model, tools: [add], use: secrets() }).send('add'))
  expect(deltas(events)).toEqual([
    ['c1', 0, ''],
    ['c1', 0, ''],
  ])
  expect(JSON.stringify(events)).not.toContain('ghp_')
})

test.each([
  { what: 'a guard that knows only whole calls: its pieces are not shown', onChunk: () => undefined, shown: 0 },
  {
    what: 'a guard that lets them through: they are shown',
    onChunk: (chunk: ShownChunk) => chunk,
    shown: 3,
  },
])('a call written behind $what', async ({ onChunk, shown }) => {
  const use = [middleware({ name: 'guard', guard: true, onChunk })]
  const turn = createAgent({ model: scriptedModel([{ chunks: pieces }, 'Three.']), tools: [add], use }).send('add')
  expect(deltas(await eventsOf(turn))).toHaveLength(shown)
  expect((await turn).text).toBe('Three.')
})
