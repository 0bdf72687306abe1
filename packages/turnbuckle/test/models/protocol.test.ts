import { LLMock } from '@copilotkit/aimock'
import { createAgent, type Event, type Message, type Tool, type TurnResult, textOf, tool } from 'turnbuckle'
import { aiSdk, type ProviderError } from 'turnbuckle/ai-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cutBody } from './cut-body.ts'
import { providers } from './providers.ts'
import { checkRequest } from './strict-requests.ts'

const mock = new LLMock({ port: 0, logLevel: 'silent' })
beforeAll(() => mock.start())
beforeEach(() => void mock.reset())
afterAll(() => mock.stop())

/** Remembers what ran. */
function weatherTool(): Tool & { readonly ran: unknown[] } {
  const ran: unknown[] = []
  const made = tool({
    name: 'weather',
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    run: ({ city }) => {
      ran.push(city)
      return `Sunny in ${String(city)}`
    },
  })
  return { ...made, ran }
}

describe.each(providers)('$name', ({ protocol, make }) => {
  /** Every request that leaves is checked; a bad one fails the turn with what is wrong. */
  const checked: typeof fetch = (input, init) => {
    checkRequest(protocol, JSON.parse(String(init?.body)))
    return fetch(input, init)
  }
  const model = () => aiSdk(make(mock.url, checked))
  const send = (weather: Tool = weatherTool()) => createAgent({ model: model(), tools: [weather] }).send('Weather?')
  const failed = async (result: Promise<TurnResult>) => {
    const { status, error } = await result
    expect(status).toBe('failed')
    return error as ProviderError
  }

  test('text streams', async () => {
    mock.onMessage('Weather', { content: 'Sunny, as always.' }, { chunkSize: 4 })
    const turn = send()
    const deltas: string[] = []
    for await (const text of turn.text) deltas.push(text)
    expect(deltas.join('')).toBe('Sunny, as always.')
    expect(deltas.length).toBeGreaterThan(2)
    expect(await turn).toMatchObject({ status: 'completed', text: 'Sunny, as always.' })
  })

  test('what was used is priced', async () => {
    mock.onMessage('Weather', { content: 'Sunny.', usage: { input_tokens: 1000, output_tokens: 10 } })
    const price = { input: 1, output: 100 }
    const { usage } = await createAgent({ model: aiSdk(make(mock.url, checked), { price }) }).send('Weather?')
    expect(usage).toEqual({ inputTokens: 1000, outputTokens: 10, cost: 0.002 })
  })

  test('parallel calls run, and their results go back in order', async () => {
    const weather = weatherTool()
    const toolCalls = ['Oslo', 'Rome', 'Lima'].map(city => ({ name: 'weather', arguments: { city } }))
    mock.on({ userMessage: 'Weather', hasToolResult: false }, { content: 'Let me see.', toolCalls })
    mock.on({ hasToolResult: true }, { content: 'Sunny in all three.' })
    const { status, text, messages } = await send(weather)
    expect({ status, text, ran: weather.ran }).toEqual({
      status: 'completed',
      text: 'Sunny in all three.',
      ran: ['Oslo', 'Rome', 'Lima'],
    })
    expect(results(messages)).toEqual(['Sunny in Oslo', 'Sunny in Rome', 'Sunny in Lima'])
  })

  test('an id that the provider uses in every turn occurs once in a request', async () => {
    mock.on(
      { userMessage: 'Weather', predicate: ({ messages }) => messages.at(-1)?.role === 'user' },
      { toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' }, id: 'call_1' }] },
    )
    mock.on({ hasToolResult: true }, { content: 'Sunny.' })
    const conversation = createAgent({ model: model(), tools: [weatherTool()] }).conversation()
    for (const _turn of [1, 2, 3]) expect(await conversation.send('Weather?')).toMatchObject({ status: 'completed' })
  })

  test.each([
    { status: 400, code: 'model.invalid', kind: 'model', retryable: false },
    { status: 401, code: 'model.refused', kind: 'model', retryable: false },
    { status: 500, code: 'model.failed', kind: 'model', retryable: true },
    { status: 529, code: 'model.overloaded', kind: 'model', retryable: true },
  ])('$status fails the turn as $code', async ({ status, ...expected }) => {
    mock.onMessage('Weather', { error: { message: 'No.', type: 'x' }, status })
    const result = send().settled
    expect(await failed(result)).toMatchObject({ status, ...expected, message: expect.stringContaining('No.') })
    expect((await result).usage).toEqual({ inputTokens: 0, outputTokens: 0, cost: 0 })
  })

  test('429 tells how long to wait', async () => {
    mock.onMessage('Weather', { error: { message: 'Slow down.' }, status: 429, retryAfter: 7 })
    const expected = { code: 'model.rateLimited', kind: 'rateLimit', status: 429, retryAfterMs: 7000, retryable: true }
    expect(await failed(send().settled)).toMatchObject(expected)
  })

  test('a context that is too long has a code of its own', async () => {
    mock.onMessage('Weather', { error: { message: 'prompt is too long: 210000 tokens' }, status: 400 })
    expect(await failed(send().settled)).toMatchObject({ code: 'model.overflow', retryable: false })
  })

  test('a slow first token is waited for, and an interrupt ends the wait', async () => {
    mock.onMessage('Weather', { content: 'At last.' }, { latency: 30 })
    expect(await send()).toMatchObject({ text: 'At last.' })
    mock.reset().onMessage('Weather', { content: 'Too late.' }, { latency: 60_000 })
    const turn = send()
    setImmediate(() => turn.interrupt())
    expect(await turn).toMatchObject({ status: 'interrupted', text: '' })
  })

  test('text that is cut off stays, marked, and the turn has failed', async () => {
    const content = 'Sunny, as always in Oslo. '.repeat(4)
    mock.onMessage('Weather', { content }, { chunkSize: 4, truncateAfterChunks: 14, latency: 4 })
    const { status, error, messages, usage } = await send().settled
    expect({ status, error }).toMatchObject({ status: 'failed', error: { kind: 'model', retryable: true } })
    expect(usage).not.toHaveProperty('cost')
    const last = messages.at(-1)
    expect(last).toMatchObject({ role: 'assistant', interrupted: true })
    expect(content.startsWith(textOf(last))).toBe(true)
  })

  test('a call that is cut off in its JSON is not run', async () => {
    const toolCalls = [{ name: 'weather', arguments: { city: 'Oslo, in the very north of the old continent' } }]
    // Gemini sends a call in one piece, so its answer is cut by hand.
    const inArguments = cutBody(checked, body => body.indexOf('continent'), 'lost')
    for (const chunks of [1, 2, 3, 4, 5]) {
      const weather = weatherTool()
      const cut = aiSdk(make(mock.url, protocol === 'gemini' ? inArguments : checked))
      const byMock = protocol === 'gemini' ? {} : { chunkSize: 5, truncateAfterChunks: chunks }
      mock.reset().onMessage('Weather', { toolCalls }, byMock)
      await failed(createAgent({ model: cut, tools: [weather] }).send('Weather?').settled)
      expect(weather.ran).toEqual([])
    }
  })

  test('an image of the user and one of a tool reach the model', async () => {
    const bodies: string[] = []
    const spied: typeof fetch = (input, init) => {
      bodies.push(String(init?.body))
      return checked(input, init)
    }
    const camera = tool({
      name: 'camera',
      run: () => ({ type: 'file', mediaType: 'image/png', data: btoa('from the tool') }),
    })
    const answered = ({ messages }: { messages: readonly { role: string }[] }) =>
      messages.some(({ role }) => role === 'tool')
    mock.on({ predicate: answered }, { content: 'A cat.' })
    mock.on({}, { toolCalls: [{ name: 'camera', arguments: { zoom: 1 } }] })
    const agent = createAgent({ model: aiSdk(make(mock.url, spied)), tools: [camera] })
    const data = new TextEncoder().encode('from the user')
    const image = { type: 'file', mediaType: 'image/png', data } as const
    const sent = agent.send({ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] })
    expect(await sent).toMatchObject({ status: 'completed', text: 'A cat.' })
    expect(bodies[0]).toContain(btoa('from the user'))
    expect(bodies[1]).toContain(btoa('from the tool'))
  })

  test('a schema for the answer reaches the model', async () => {
    const schema = { type: 'object', properties: { celsius: { type: 'number' } } }
    const bodies: string[] = []
    const spied: typeof fetch = (input, init) => {
      bodies.push(String(init?.body))
      return checked(input, init)
    }
    mock.onMessage('Weather', { content: '{"celsius":21}' })
    const params = { responseFormat: { type: 'json', schema } } as const
    const agent = createAgent({ model: aiSdk(make(mock.url, spied), { params }) })
    await agent.send('Weather?').settled
    expect(bodies[0]).toMatch(/celsius|json_object/)
    expect(bodies[0]).not.toContain('"strict":true')
  })

  test('garbage fails the turn', async () => {
    mock.onMessage('Weather', { content: 'x' }, { chaos: { malformedRate: 1 } })
    expect(await failed(send().settled)).toMatchObject({ code: expect.stringMatching(/^model\./) })
  })

  test('a history with every kind of ending is valid for a strict provider', async () => {
    const flaky = tool({
      name: 'weather',
      run: () => {
        throw new Error('No satellite.')
      },
    })
    const endless = tool({ name: 'wait', run: () => new Promise(() => {}) })
    const conversation = createAgent({ model: model(), tools: [flaky, endless] }).conversation()
    const calls = (...names: string[]) => ({ toolCalls: names.map(name => ({ name, arguments: { a: 1 } })) })
    mock.on({ userMessage: 'fail', hasToolResult: false }, calls('weather', 'nonsense'))
    mock.on(
      { userMessage: 'hang', predicate: ({ messages }) => messages.at(-1)?.role === 'user' },
      calls('wait', 'wait'),
    )
    mock.on({}, { content: 'Well.' })
    expect(await conversation.send('fail')).toMatchObject({ status: 'completed' })
    const hanging = conversation.send('hang')
    for await (const event of hanging as AsyncIterable<Event>) if (event.type === 'tool.executing') hanging.interrupt()
    expect(await hanging).toMatchObject({ status: 'interrupted' })
    const next = conversation.send('And now?')
    next.interject('Also this.')
    expect(await next).toMatchObject({ status: 'completed', text: 'Well.' })
  })
})

const results = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) => content.flatMap(part => (part.type === 'result' ? [part.value] : [])))
