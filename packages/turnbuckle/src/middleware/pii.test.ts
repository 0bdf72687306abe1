import { createAgent, type Event, type Middleware, type Model, middleware, skip, textOf, tool } from 'turnbuckle'
import { type ScriptedStep, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type PiiOptions, pii } from './pii.ts'

const card = '4111 1111 1111 1111'

const pieces = (text: string, size: number): ScriptedStep => ({
  chunks: Array.from({ length: Math.ceil(text.length / size) }, (_, i) => ({
    type: 'text' as const,
    text: text.slice(i * size, (i + 1) * size),
  })),
})

/** Every event, deltas included: to be called before the turn is awaited, for deltas are not replayed. */
async function events(turn: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = []
  for await (const event of turn) all.push(event)
  return all
}

const say = async (text: string, options?: PiiOptions) => {
  const { messages } = await createAgent({ model: scriptedModel(['ok']), use: pii(options) }).send(text)
  return textOf(messages[0])
}

test.each([
  { text: 'Write to joe.doe+x@mail.example.com.', becomes: 'Write to [email].' },
  { text: `Pay with ${card}, please`, becomes: 'Pay with [card], please' },
  { text: '4111-1111-1111-1111 or 378282246310005', becomes: '[card] or [card]' },
  { text: 'order 1234 4111 1111 1111 1111', becomes: 'order 1234 [card]' },
  { text: '4111 1111 1111 1112', becomes: '4111 1111 1111 1112' },
  { text: 'SSN 123-45-6789', becomes: 'SSN [ssn]' },
  { text: '000-45-6789 and 123-00-6789', becomes: '000-45-6789 and 123-00-6789' },
  { text: 'Call +49 30 1234567 or (415) 555-2671', becomes: 'Call [phone] or [phone]' },
  { text: 'Call 123-456-7890, (555) 123-4567 or 1-800-555-0199', becomes: 'Call [phone], [phone] or [phone]' },
  { text: 'on 2024-01-15 at 12:30:45', becomes: 'on 2024-01-15 at 12:30:45' },
  { text: 'from 192.168.0.1, not 1.2.3.4.5 or 999.1.1.1', becomes: 'from [ip], not 1.2.3.4.5 or 999.1.1.1' },
  { text: 'at fe80::1 and 2001:db8:0:0:0:0:2:1, not std::vector', becomes: 'at [ip] and [ip], not std::vector' },
])('finds what is personal and leaves the rest: $text', async ({ text, becomes }) => {
  expect(await say(text)).toBe(becomes)
})

test.each<PiiOptions & { text: string; becomes: string }>([
  { style: 'mask', text: card, becomes: '**** **** **** 1111' },
  { style: 'mask', text: 'joe@example.com', becomes: 'j***@example.com' },
  { style: 'mask', text: '123-45-6789', becomes: '***-**-6789' },
  { style: 'hash', key: 'k', text: 'joe@example.com', becomes: '[email b770b285abee]' },
  { kinds: ['card'], text: `joe@example.com ${card}`, becomes: 'joe@example.com [card]' },
  { also: [{ kind: 'employee', pattern: /EMP-\d{4}/, longest: 8 }], text: 'EMP-1234', becomes: '[employee]' },
  { input: false, text: card, becomes: card },
])('$style $kinds', async ({ text, becomes, ...options }) => {
  expect(await say(text, options)).toBe(becomes)
})

describe.each([1, 3, 7, 100])('in deltas of %d characters', size => {
  test.each<{ style: NonNullable<PiiOptions['style']>; shown: string }>([
    { style: 'redact', shown: 'Your card [card] and mail [email]' },
    { style: 'mask', shown: 'Your card **** **** **** 1111 and mail j***@example.com' },
  ])('$style shows nothing of the number', async ({ style, shown }) => {
    const model = scriptedModel([pieces(`Your card ${card} and mail joe@example.com`, size)])
    const turn = createAgent({ model, use: pii({ style }) }).send('?')
    const all = await events(turn)
    expect((await turn).text).toBe(shown)
    expect(all.map(event => (event.type === 'message.delta' ? event.text : '')).join('')).toBe(shown)
    expect(JSON.stringify(all)).not.toMatch(/4111|joe/)
  })

  test('block stops the reply before the number', async () => {
    const model = scriptedModel([pieces(`Your card is ${card}, sir`, size)])
    const turn = createAgent({ model, use: pii({ style: 'block' }) }).send('?')
    const all = events(turn)
    expect(await turn).toMatchObject({ status: 'stopped', by: 'pii.stream', reason: 'The reply contains card.' })
    expect(JSON.stringify(await all)).not.toContain('4111')
  })
})

const retry = middleware({
  name: 'retry',
  async wrapModel(_ctx, next) {
    try {
      return await next()
    } catch {
      return next()
    }
  },
})

test.each<{ name: string; use: readonly (Middleware | readonly Middleware[])[] }>([
  { name: 'retry, pii', use: [retry, pii()] },
  { name: 'pii, retry', use: [pii(), retry] },
])('the held beginning of an abandoned attempt is not shown with the next: $name', async ({ use }) => {
  const model = scriptedModel([
    { chunks: [{ type: 'text', text: 'It is 4111 1111 ' }], error: new Error('cut') },
    { chunks: [{ type: 'text', text: '1111 1111 is the rest.' }] },
  ])
  const turn = createAgent({ model, use }).send('?')
  const all = events(turn)
  expect((await turn).text).toBe('1111 1111 is the rest.')
  expect(JSON.stringify(await all)).not.toContain('4111')
})

test.each([
  { name: 'text', value: `card ${card}`, shown: 'card [card]' },
  { name: 'data', value: { owner: ['joe@example.com'], n: 2 }, shown: { owner: ['[email]'], n: 2 } },
  { name: 'numbers', value: { card: 4111111111111111 }, shown: { card: '[card]' } },
  { name: 'keys', value: { 'joe@example.com': 1 }, shown: { '[email]': 1 } },
  { name: 'an error', error: new Error(`no card ${card}`), shown: 'no card [card]' },
])('a result is cleaned before the model, the record and the client see it: $name', async ({ value, error, shown }) => {
  const lookup = tool({
    name: 'lookup',
    run: () => {
      if (error) throw error
      return value
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'lookup' }] }, 'done'])
  const turn = createAgent({ model, tools: [lookup], use: pii() }).send('?')
  await turn
  expect(model.prompts[1]?.messages.at(-1)?.content[0]).toMatchObject({
    status: error ? 'error' : 'ok',
    value: shown,
  })
  expect(JSON.stringify(await events(turn))).not.toMatch(/4111|joe/)
})

test('block refuses the message and withholds the result', async () => {
  const refused = await createAgent({ model: scriptedModel([]), use: pii({ style: 'block' }) }).send(card)
  expect(refused).toMatchObject({ status: 'stopped', by: 'pii', messages: [] })
  const lookup = tool({ name: 'lookup', run: () => card })
  const model = scriptedModel([{ calls: [{ name: 'lookup' }] }, 'done'])
  await createAgent({ model, tools: [lookup], use: pii({ style: 'block' }) }).send('?')
  expect(model.prompts[1]?.messages.at(-1)?.content[0]).toMatchObject({
    status: 'blocked',
    value: 'The result was withheld: it contains card.',
  })
})

test('a ready reply, an interjection and a closing text are cleaned too', async () => {
  const ready = middleware({ name: 'ready', beforeModel: () => skip(`Your card is ${card}.`) })
  const interject = middleware({ name: 'said', beforeModel: ctx => (ctx.step ? undefined : ctx.turn.interject(card)) })
  const first = createAgent({ model: scriptedModel([]), use: [pii(), ready] }).send('?')
  expect((await first).text).toBe('Your card is [card].')
  const second = createAgent({ model: scriptedModel(['a', 'b']), use: [pii(), interject] }).send('?')
  expect(textOf((await second).messages[2])).toBe('[card]')
  expect(JSON.stringify((await second).messages)).not.toContain('4111')
})

test('what another middleware uncovers is found as well', async () => {
  const strip = middleware({
    name: 'strip',
    onChunk: chunk => (chunk.type === 'text' ? { ...chunk, text: chunk.text.replaceAll('\u200b', '') } : undefined),
  })
  const model = scriptedModel(['joe@exa\u200bmple.com'])
  expect((await createAgent({ model, use: [pii(), strip] }).send('?')).text).toBe('[email]')
})

const broken = { kind: 'broken', pattern: /x/, longest: 1, accept: () => { throw new Error('broken') } } // biome-ignore format: one line

test.each([
  { name: 'the message', text: 'x', steps: [] },
  { name: 'a delta', text: 'hi', steps: ['x marks the spot'] },
  { name: 'a ready reply', text: 'hi', steps: [], use: [middleware({ name: 'ready', beforeModel: () => skip('x') })] },
])('a redactor that throws shows and records nothing: $name', async ({ text, steps, use = [] }) => {
  const agent = createAgent({ model: scriptedModel(steps), use: [pii({ also: [broken] }), ...use] })
  const turn = agent.send(text)
  const all = events(turn)
  const result = await turn.settled
  expect(result).toMatchObject({ status: 'failed' })
  expect(JSON.stringify(result.messages)).not.toContain('"x')
  const shown = (await all).filter(({ type }) => type.startsWith('message.'))
  expect(JSON.stringify(shown)).not.toContain('x marks')
})

test('a redactor that throws on a result withholds it', async () => {
  const lookup = tool({ name: 'lookup', run: () => 'x marks the spot' })
  const model = scriptedModel([{ calls: [{ name: 'lookup' }] }, 'done'])
  const turn = createAgent({ model, tools: [lookup], use: pii({ also: [broken] }) }).send('?')
  await turn.settled
  expect(JSON.stringify(await events(turn))).not.toContain('marks')
})

test('what the provider wants to see again stays on reasoning', async () => {
  const model = scriptedModel([
    { chunks: [{ type: 'reasoning', text: 'Mail joe@x.org' }, { type: 'reasoning', text: '', meta: 'sig' }, { type: 'text', text: 'Done' }] }, // biome-ignore format: one reply
  ])
  const { messages } = await createAgent({ model, use: pii() }).send('?')
  expect(messages[1]?.content).toEqual([
    { type: 'reasoning', text: 'Mail [email]', meta: 'sig' },
    { type: 'text', text: 'Done' },
  ])
})

test('what the provider wants to see again stays on text, and the border of a part stays where it was', async () => {
  const chunks = [
    { type: 'text', text: 'Mail joe@x.org' },
    { type: 'text', text: '', meta: { id: 'msg_1' } },
    { type: 'text', text: 'Second', end: true },
    { type: 'text', text: 'Third', meta: { signature: 'c2lnbmF0dXJlIG9mIHRoZSBwcm92aWRlcg==' } },
  ] as const
  const { messages } = await createAgent({ model: scriptedModel([{ chunks }]), use: pii() }).send('?')
  expect(messages[1]?.content).toEqual([
    { type: 'text', text: 'Mail [email]', meta: { id: 'msg_1' } },
    { type: 'text', text: 'Second' },
    { type: 'text', text: 'Third', meta: { signature: 'c2lnbmF0dXJlIG9mIHRoZSBwcm92aWRlcg==' } },
  ])
})

test('data of the provider that quotes what is redacted is neither shown nor recorded', async () => {
  const meta = { citations: [{ cited_text: 'write to joe@x.org' }] }
  const chunks = [{ type: 'text', text: 'As they say', meta }] as const
  const turn = createAgent({ model: scriptedModel([{ chunks }]), use: pii() }).send('?')
  expect((await turn).messages[1]?.content).toEqual([{ type: 'text', text: 'As they say' }])
  expect(JSON.stringify(await events(turn))).not.toContain('joe@x.org')
})

test('text that waits is shown before the call that follows it', async () => {
  const model = scriptedModel([{ text: 'I look', calls: [{ name: 'lookup' }] }, 'done'])
  const { messages } = await createAgent({ model, tools: [tool({ name: 'lookup', run: () => 1 })], use: pii() }).send(
    '?',
  )
  expect(messages[1]?.content).toMatchObject([{ type: 'text', text: 'I look' }, { type: 'call' }])
})

test('what is held back at an interrupt was not shown and is not kept', async () => {
  const clock = virtualClock()
  const model: Model = {
    id: 'slow',
    async *stream() {
      yield { type: 'text', text: 'It is 4111 1111' }
      await new Promise(() => {})
    },
  }
  const turn = createAgent({ model, use: pii(), clock }).send('?')
  const all = events(turn)
  await clock.advance(1)
  turn.interrupt()
  expect((await turn).text).toBe('It is')
  expect(JSON.stringify(await all)).not.toContain('4111')
})

test('a file that a tool shows stays as it is; what stands beside it is looked at', async () => {
  const file = { type: 'file', mediaType: 'image/png', data: '4111111111111111' }
  const show = tool({ name: 'show', run: () => [file, 'of jo@example.com'] })
  const model = scriptedModel([{ calls: [{ name: 'show' }] }, 'ok'])
  const { messages } = await createAgent({ model, tools: [show], use: pii() }).send('?')
  expect(messages[2]?.content[0]).toMatchObject({ value: [file, 'of [email]'] })
})
