import { createAgent, tool } from 'turnbuckle'
import { aiSdk } from 'turnbuckle/ai-sdk'
import { retry } from 'turnbuckle/middleware'
import { virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { call, fakeProvider, finish, text } from '../../test/models/fake-provider.ts'

const specs = ['v2', 'v3', 'v4']
const looked = tool({ name: 'look', run: () => 'seen' })

describe('what comes from a provider', () => {
  test('a tracer is told the request as the package gets it, without headers', async () => {
    const provider = fakeProvider([[...text('Hi.'), finish('v3')]])
    const model = aiSdk(provider, { params: { temperature: 0.5, headers: { authorization: 'Bearer secret' } } })
    const told: unknown[] = []
    const prompt = { messages: [], tools: [], instructions: 'Be brief.', params: {} }
    const options = { signal: new AbortController().signal, onRequest: (request: unknown) => told.push(request) }
    for await (const _ of model.stream(prompt, options));
    const { prompt: sent, temperature } = provider.sent[0] as never as Record<string, unknown>
    expect(told).toEqual([expect.objectContaining({ prompt: sent, temperature })])
    expect(JSON.stringify(told)).not.toContain('secret')
  })

  test('a file that is kept beside the log is sent with its bytes', async () => {
    const provider = fakeProvider([[...text('Hi.'), finish('v3')]])
    const file = { type: 'file' as const, mediaType: 'image/png', data: 'turnbuckle-file:f1' }
    const prompt = {
      messages: [{ id: 'm', role: 'user' as const, content: [file] }],
      tools: [],
      instructions: '',
      params: {},
    }
    const options = {
      signal: new AbortController().signal,
      readFile: async (id: string) => (id === 'f1' ? 'AAEC' : undefined),
    }
    for await (const _ of aiSdk(provider).stream(prompt, options));
    const { prompt: sent } = provider.sent[0] as never as { prompt: unknown }
    expect(sent).toEqual([{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'AAEC' }] }])
  })

  test('each thought keeps its own signature and goes back with it', async () => {
    const thought = (id: string, signature: string) => [
      { type: 'reasoning-start', id },
      { type: 'reasoning-delta', id, delta: `thought ${id}` },
      { type: 'reasoning-delta', id, delta: '', providerMetadata: { vendor: { signature } } },
      { type: 'reasoning-end', id, providerMetadata: { vendor: { closed: true } } },
    ]
    const hidden = [
      { type: 'reasoning-start', id: '3', providerMetadata: { vendor: { redactedData: 'xyz' } } },
      { type: 'reasoning-end', id: '3' },
    ]
    const first = [
      ...thought('1', 'a'),
      ...thought('2', 'b'),
      ...hidden,
      call('look', '{}'),
      finish('v3', 'tool-calls'),
    ]
    const provider = fakeProvider([first, [...text('done'), finish('v3')]])
    await createAgent({ model: aiSdk(provider), tools: [looked] }).send('go')
    expect(provider.sent[1]?.prompt[1]?.content).toEqual([
      { type: 'reasoning', text: 'thought 1', providerOptions: { vendor: { signature: 'a', closed: true } } },
      { type: 'reasoning', text: 'thought 2', providerOptions: { vendor: { signature: 'b', closed: true } } },
      { type: 'reasoning', text: '', providerOptions: { vendor: { redactedData: 'xyz' } } },
      { type: 'tool-call', toolCallId: 'id-look', toolName: 'look', input: {} },
    ])
  })

  test('a tool that the provider ran is not run again, and call and result go back in their places', async () => {
    const searched = [
      call('search', '{"q":"x"}', { providerExecuted: true, providerMetadata: { vendor: { item: 1 } } }),
      { type: 'tool-result', toolCallId: 'id-search', toolName: 'search', result: { hits: 0 }, preliminary: true },
      { type: 'tool-result', toolCallId: 'id-search', toolName: 'search', result: { hits: 2 } },
      call('search-without-end', '{}', { providerExecuted: true }),
    ]
    const provider = fakeProvider([
      [...searched, ...text('Two.'), finish('v3')],
      [...text('Yes.'), finish('v3')],
    ])
    const conversation = createAgent({ model: aiSdk(provider, { price: { input: 1, output: 1 } }) }).conversation()
    const { status, steps, usage } = await conversation.send('go')
    expect({ status, steps }).toEqual({ status: 'completed', steps: 1 })
    expect(usage).not.toHaveProperty('cost')
    await conversation.send('sure?')
    expect(provider.sent[1]?.prompt[1]?.content).toEqual([
      {
        type: 'tool-call',
        toolCallId: 'id-search',
        toolName: 'search',
        input: { q: 'x' },
        providerExecuted: true,
        providerOptions: { vendor: { item: 1 } },
      },
      {
        type: 'tool-result',
        toolCallId: 'id-search',
        toolName: 'search',
        output: { type: 'json', value: { hits: 2 } },
      },
      {
        type: 'tool-call',
        toolCallId: 'id-search-without-end',
        toolName: 'search-without-end',
        input: {},
        providerExecuted: true,
      },
      { type: 'text', text: 'Two.' },
    ])
  })

  test.each([
    { spec: 'v3', data: new Uint8Array([1, 2, 3]) },
    { spec: 'v3', data: 'AQID' },
    { spec: 'v4', data: { type: 'data', data: new Uint8Array([1, 2, 3]) } },
  ])('files and sources become parts of the message ($spec)', async ({ spec, data }) => {
    const parts = [
      { type: 'file', mediaType: 'image/png', data },
      { type: 'source', sourceType: 'url', id: '1', url: 'https://example.com', title: 'Example' },
    ]
    const provider = fakeProvider([[...parts, ...text('See.'), finish(spec)]], { spec })
    const { messages } = await createAgent({ model: aiSdk(provider) }).send('go')
    expect(messages.at(-1)?.content).toEqual([
      { type: 'file', mediaType: 'image/png', data: 'AQID' },
      { type: 'source', url: 'https://example.com', title: 'Example' },
      { type: 'text', text: 'See.' },
    ])
  })

  test('warnings are events', async () => {
    const warnings = [
      { type: 'unsupported', feature: 'seed', details: 'ignored' },
      { type: 'unsupported-setting', setting: 'topK' },
      { type: 'other', message: 'Careful.' },
    ]
    const provider = fakeProvider([[{ type: 'stream-start', warnings }, ...text('ok'), finish('v3')]])
    const said: unknown[] = []
    for await (const event of createAgent({ model: aiSdk(provider) }).send('go'))
      if ((event.type as string) === 'model.warning') said.push((event as unknown as { text: string }).text)
    expect(said).toEqual(['unsupported: seed. ignored', 'unsupported-setting: topK', 'Careful.'])
  })

  test.each(specs)('usage and cost are counted (%s)', async spec => {
    const provider = fakeProvider([[...text('ok'), finish(spec)]], { spec, provider: 'openai.chat', modelId: 'gpt-4o' })
    const { usage } = await createAgent({ model: aiSdk(provider) }).send('go')
    expect(usage).toEqual({ inputTokens: 1000, outputTokens: 10, cost: expect.closeTo(0.0026, 9) })
  })

  test.each([
    { price: { input: 1, output: 1 }, cost: 0.00101 },
    { price: false as const, cost: undefined },
  ])('a price of one’s own comes over the list price', async ({ price, cost }) => {
    const provider = fakeProvider([[...text('ok'), finish('v3')]], { provider: 'openai.chat', modelId: 'gpt-4o' })
    expect((await createAgent({ model: aiSdk(provider, { price }) }).send('go')).usage.cost).toBe(cost)
  })

  test.each([
    { name: 'another tier', provider: 'openai.chat', modelId: 'gpt-4o', tier: 'flex' },
    { name: 'Vertex', provider: 'google.vertex.chat', modelId: 'gemini-2.5-pro', tier: undefined },
  ])('$name has no list price here', async ({ provider: name, modelId, tier }) => {
    const provider = fakeProvider([[...text('ok'), finish('v3')]], { provider: name, modelId })
    const params = tier ? { providerOptions: { openai: { serviceTier: tier } } } : {}
    const { usage } = await createAgent({ model: aiSdk(provider, { params }) }).send('go')
    expect(usage).toEqual({ inputTokens: 1000, outputTokens: 10, knownCost: 0, unknownCalls: 1 })
  })

  test.each([undefined, null, 'anthropic/claude', {}, { specificationVersion: 'v1', modelId: 'm' }])(
    'what is no provider model is refused: %j',
    provider => expect(() => aiSdk(provider as never)).toThrow("aiSdk(anthropic('claude-...'))"),
  )

  test('parts of a kind that is not known are passed over', async () => {
    const provider = fakeProvider([[{ type: 'ping' }, { type: 'hologram', id: '1' }, ...text('ok'), finish('v4')]], {
      spec: 'v4',
    })
    expect(await createAgent({ model: aiSdk(provider) }).send('go')).toMatchObject({ status: 'completed', text: 'ok' })
  })

  test('a spec that is not known is refused at once', () => {
    expect(() => aiSdk(fakeProvider([], { spec: 'v9' }))).toThrow(/speaks spec v9; v2, v3, v4 are known/)
  })
})

describe('retry', () => {
  const failing = (error: object) => fakeProvider([[{ type: 'error', error }], [...text('ok'), finish('v3')]])

  test('waits as long as the provider asked', async () => {
    const clock = virtualClock()
    const error = { message: 'Slow', statusCode: 429, responseHeaders: { 'retry-after': '7' } }
    const turn = createAgent({ model: aiSdk(failing(error)), use: [retry()], clock }).send('go')
    await clock.advance(6999)
    expect(clock.timers).toBe(1)
    await clock.advance(1)
    expect(await turn).toMatchObject({ status: 'completed', text: 'ok' })
  })

  test.each([
    { message: 'x', statusCode: 429, isRetryable: true, responseBody: '{"error":{"code":"insufficient_quota"}}' },
    { message: 'x', type: 'insufficient_quota' },
  ])('does not repeat a request for which there is no credit: $responseBody', async error => {
    const provider = failing(error)
    const { error: last } = await createAgent({ model: aiSdk(provider), use: [retry()] }).send('go').settled
    expect(last).toMatchObject({ code: 'model.quota', retryable: false, message: expect.stringContaining('billing') })
    expect(provider.sent.length).toBe(1)
  })

  test('does not repeat a request that was refused', async () => {
    const provider = failing({ message: 'No', statusCode: 401 })
    const { error } = await createAgent({ model: aiSdk(provider), use: [retry()] }).send('go').settled
    expect(error).toMatchObject({
      code: 'model.refused',
      // The provider's words end before ours begin.
      message: expect.stringMatching(/ answered 401: No\. Check the API key\.$/),
    })
    expect(provider.sent.length).toBe(1)
  })
})
