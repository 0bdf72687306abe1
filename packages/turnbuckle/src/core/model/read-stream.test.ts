import { type Chunk, createAgent, type Event, type Model, middleware, type ShownChunk, stop, tool } from 'turnbuckle'
import { retry, secrets } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const echo = tool({ name: 'echo', run: args => args })
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
const hi = () => scriptedModel(['Hi'], { repeat: true })
const look = tool({ name: 'look', run: () => 'seen' })

describe('what a model may do wrong', () => {
  test('a usage that is no number is none: sums and limits go on', async () => {
    const model = scriptedModel([{ chunks: [{ type: 'usage' } as never, { type: 'text', text: 'Hi.' }] }])
    expect((await createAgent({ model }).send('Go.')).usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      knownCost: 0,
      unknownCalls: 1,
    })
  })

  test('a call without a name is one of an unknown tool', async () => {
    const model = scriptedModel([{ chunks: [{ type: 'call', id: 'a', args: {} } as never] }, 'The end.'])
    const { messages } = await createAgent({ model, tools: [echo] }).send('Go.')
    expect(messages[2]?.content[0]).toMatchObject({
      status: 'error',
      value: expect.stringContaining('Tools here: echo'),
    })
  })

  test.each([undefined, 'intercept' as const])('its stream throws when nobody reads on (loop: %s)', async loop => {
    const stream = () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => {}),
        return: () => {
          throw new Error('no')
        },
      }),
    })
    const turn = createAgent({ model: { id: 'odd', ...(loop ? { loop } : {}), stream } }).send('Go.')
    await new Promise(setImmediate)
    turn.interrupt('enough')
    expect(await turn).toMatchObject({ status: 'interrupted', reason: 'enough' })
  })
})

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

describe('what a model says', () => {
  test('a warning is an event; a chunk of a kind not known yet is left out', async () => {
    const chunks = [
      { type: 'warning', text: 'no temperature here' },
      { type: 'hologram', size: 3 },
      { type: 'text', text: 'Hi' },
      { type: 'text', text: '' },
    ] as readonly Chunk[]
    const turn = createAgent({ model: scriptedModel([{ chunks }]) }).send('Go')
    const events: Event[] = []
    for await (const event of turn) events.push(event)
    expect(events.find(({ type }) => (type as string) === 'model.warning')).toMatchObject({
      text: 'no temperature here',
    })
    expect((await turn).messages[1]?.content).toEqual([{ type: 'text', text: 'Hi' }])
  })

  test('reasoning keeps its signature, and ends with it; a source leaves the text around it whole', async () => {
    const chunks: readonly Chunk[] = [
      { type: 'reasoning', text: 'First ' },
      { type: 'reasoning', text: 'thought.', meta: 'signed' },
      { type: 'reasoning', text: 'Second.' },
      { type: 'text', text: 'A' },
      { type: 'source', url: 'https://example.com' },
      { type: 'text', text: 'B' },
    ]
    const { messages, text } = await createAgent({ model: scriptedModel([{ chunks }]) }).send('Go')
    expect(messages[1]?.content).toEqual([
      { type: 'reasoning', text: 'First thought.', meta: 'signed' },
      { type: 'reasoning', text: 'Second.' },
      { type: 'text', text: 'AB' },
      { type: 'source', url: 'https://example.com' },
    ])
    expect(text).toBe('AB')
  })

  test('nothing at all is no message', async () => {
    const { messages, status, text } = await createAgent({ model: scriptedModel([{}]) }).send('Go')
    expect({ roles: messages.map(({ role }) => role), status, text }).toEqual({
      roles: ['user'],
      status: 'completed',
      text: '',
    })
  })

  test('a stream that cannot even be opened fails the turn', async () => {
    const model: Model = {
      id: 'broken',
      stream() {
        throw new Error('no such model')
      },
    }
    expect(await createAgent({ model }).send('Go').settled).toMatchObject({ status: 'failed', reason: 'no such model' })
  })
})

describe('onChunk', () => {
  test('passes, changes, drops, splits and holds; the end releases what was held', async () => {
    const say = (text: string) => ({ type: 'text' as const, text })
    const answers: Record<string, ShownChunk | ShownChunk[]> = {
      'change ': say('CHANGED '),
      'drop ': [],
      'split ': [...'split'].map(say),
      'hold ': [],
    }
    const words = ['pass ', 'change ', 'drop ', 'split ', 'hold ', 'last']
    const model = scriptedModel([{ chunks: words.map(say) }])
    const hook = middleware({
      name: 'hook',
      onChunk: chunk =>
        chunk.type === 'end' ? [say(' held')] : chunk.type === 'text' ? answers[chunk.text] : undefined,
    })
    const turn = createAgent({ model, use: [hook] }).send('Go')
    const deltas: string[] = []
    for await (const event of turn) if (event.type === 'message.delta') deltas.push(event.text)
    expect((await turn).text).toBe('pass CHANGED splitlast held')
    expect(deltas.join('')).toBe('pass CHANGED splitlast held')
  })

  test('what one hook released passes the hooks behind it', async () => {
    const hold = middleware({
      name: 'hold',
      onChunk: chunk => (chunk.type === 'end' ? [{ type: 'text', text: 'secret' }] : []),
    })
    const hide = middleware({
      name: 'hide',
      guard: true,
      onChunk: chunk => (chunk.type === 'text' ? { type: 'text', text: '***' } : undefined),
    })
    expect((await createAgent({ model: hi(), use: [hold, hide] }).send('Go')).text).toBe('***')
  })

  test('a directive ends the stream', async () => {
    const { stop } = await import('turnbuckle')
    let sent = 0
    const model = {
      id: 'endless',
      async *stream() {
        for (;;) {
          sent++
          yield { type: 'text' as const, text: 'more ' }
        }
      },
    }
    const limit = middleware({ name: 'limit', onChunk: () => (sent === 5 ? stop('long enough') : undefined) })
    expect(await createAgent({ model, use: [limit] }).send('Go')).toMatchObject({
      status: 'stopped',
      by: 'limit',
      text: 'more more more more ',
    })
    expect(sent).toBeLessThan(8)
  })

  test('calls, reasoning and arrays of chunks pass it too', async () => {
    const types: string[] = []
    const watch = middleware({ name: 'watch', onChunk: chunk => void types.push(chunk.type) })
    const model = scriptedModel([
      {
        chunks: [
          [
            { type: 'reasoning', text: 'Hm' },
            { type: 'text', text: 'A' },
          ],
          { type: 'call', id: 'c', name: 'look', args: {} },
          { type: 'usage', inputTokens: 1, outputTokens: 1 },
          { type: 'finish', reason: 'tool-calls' },
        ],
      },
      'B',
    ])
    await createAgent({ model, tools: [look], use: [watch] }).send('Go')
    expect(types.join(' ')).toBe('start reasoning text call usage finish end start text finish end')
  })
})

describe('an attempt’s beginning and end', () => {
  const broken = { chunks: [{ type: 'text' as const, text: 'Let me' }], error: new Error('down') }

  test('are told for every attempt, failed ones too', async () => {
    const seen: string[] = []
    const watch = middleware({
      name: 'watch',
      onChunk(chunk) {
        seen.push(chunk.type === 'start' ? `start ${chunk.attempt}` : chunk.type)
      },
    })
    const model = scriptedModel([broken, 'ok'])
    await createAgent({ model, use: [retry({ baseMs: 0 }), watch] }).send('Go.')
    expect(seen).toEqual(['start 0', 'text', 'end', 'start 1', 'text', 'finish', 'end'])
  })

  test('keep what a hook holds back of a failed attempt out of the next one', async () => {
    let held = ''
    const hold = middleware({
      name: 'hold',
      onChunk(chunk) {
        if (chunk.type === 'text') {
          held += chunk.text
          return []
        }
        if (chunk.type !== 'end') return
        const text = held
        held = ''
        return { type: 'text', text }
      },
    })
    const turn = createAgent({ model: scriptedModel([broken, 'ok']), use: [retry({ baseMs: 0 }), hold] }).send('Go.')
    let shown = ''
    for await (const text of turn.text) shown += text
    expect({ shown, text: (await turn).text }).toEqual({ shown: 'ok', text: 'ok' })
  })

  test('are told where a hook has cut the reply, and nothing more is shown', async () => {
    const seen: string[] = []
    const watch = middleware({ name: 'watch', guard: true, onChunk: ({ type }) => void seen.push(type) })
    const cut = middleware({ name: 'cut', onChunk: ({ type }) => (type === 'text' ? stop('enough') : undefined) })
    const result = await createAgent({ model: scriptedModel(['one']), use: [cut, watch] }).send('Go.')
    expect(seen).toEqual(['start', 'end'])
    expect(result).toMatchObject({ status: 'stopped', text: '' })
  })

  test('a hook may begin a reply', async () => {
    const head = middleware({
      name: 'head',
      onChunk: ({ type }) => (type === 'start' ? { type: 'text', text: '> ' } : undefined),
    })
    expect((await createAgent({ model: scriptedModel(['one']), use: [head] }).send('Go.')).text).toBe('> one')
  })
})
