import { createAgent, middleware, type NewMessage, tool } from 'turnbuckle'
import { aiSdk, type ProviderError } from 'turnbuckle/ai-sdk'
import { promptCache, retry } from 'turnbuckle/middleware'
import { virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { call, fakeProvider, finish, text } from '../../test/models/fake-provider.ts'
import { providerName } from './provider-id.ts'

const specs = ['v2', 'v3', 'v4']
const looked = tool({ name: 'look', run: () => 'seen' })
const user = (content: NewMessage['content']): NewMessage => ({ role: 'user', content })

/** The prompt that a history becomes. */
async function promptOf(messages: readonly NewMessage[], spec = 'v3', details: object = {}) {
  const provider = fakeProvider([[...text('ok'), finish(spec)]], { spec, ...details })
  const result = await createAgent({ model: aiSdk(provider) })
    .conversation({ messages })
    .send('now').settled
  if (result.error) throw result.error
  return provider.sent[0]?.prompt.slice(0, -1)
}

describe('what comes from a provider', () => {
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

  test('a tool that the provider ran is not run again, and its call and result go back together', async () => {
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
    expect(usage).toEqual({ inputTokens: 1000, outputTokens: 10 })
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

describe('a reply that is not whole', () => {
  const start = { type: 'tool-input-start', id: 'id-look', toolName: 'look' }
  const delta = (json: string) => ({ type: 'tool-input-delta', id: 'id-look', delta: json })

  test.each([
    { name: 'cut JSON', parts: [start, delta('{"a": "b'), call('look', '{"a": "b')] },
    { name: 'no arguments yet', parts: [start, call('look', '')] },
    { name: 'arguments that the provider made up', parts: [start, call('look', '{}')] },
    { name: 'a call that was only begun', parts: [start, delta('{"a')] },
    { name: 'a call that was announced', parts: [start] },
  ])('a reply that ran out of room in a call: $name is not run but answered', async ({ parts }) => {
    const ran: unknown[] = []
    const provider = fakeProvider([
      [...parts, finish('v3', 'length')],
      [...text('Sorry.'), finish('v3')],
    ])
    const look = tool({ name: 'look', run: args => ran.push(args) })
    const { status, messages } = await createAgent({ model: aiSdk(provider), tools: [look] }).send('go')
    expect({ status, ran }).toEqual({ status: 'completed', ran: [] })
    expect(messages[2]?.content[0]).toMatchObject({ status: 'error', value: expect.stringContaining('cut off') })
    expect(provider.sent[1]?.prompt.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool-call', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'id-look', output: { type: 'error-text' } }] },
    ])
  })

  test('a whole call before it runs', async () => {
    const ran: unknown[] = []
    const parts = [
      call('look', '{"a":1}'),
      { ...start, id: 'id-2' },
      { type: 'tool-input-delta', id: 'id-2', delta: '{"b' },
    ]
    const provider = fakeProvider([
      [...parts, finish('v3', 'length')],
      [...text('Sorry.'), finish('v3')],
    ])
    const look = tool({ name: 'look', run: args => ran.push(args) })
    await createAgent({ model: aiSdk(provider), tools: [look] }).send('go')
    expect(ran).toEqual([{ a: 1 }])
  })

  const silent = {
    v2: 'unknown',
    v3: { unified: 'other', raw: undefined },
    v4: { unified: 'interrupted', raw: undefined },
  }

  test.each(Object.entries(silent))('a stream that ends without a reason was cut (%s)', async (spec, finishReason) => {
    const parts = [...text('So far'), { type: 'finish', finishReason, usage: {} }]
    const cut = await createAgent({ model: aiSdk(fakeProvider([parts], { spec })) }).send('go').settled
    expect(cut).toMatchObject({ status: 'failed', error: { code: 'model.cut', retryable: true } })
    expect(cut.messages.at(-1)).toMatchObject({ interrupted: true, content: [{ text: 'So far' }] })
    const lenient = aiSdk(fakeProvider([parts], { spec }), { finish: 'optional' })
    expect(await createAgent({ model: lenient }).send('go')).toMatchObject({ status: 'completed', text: 'So far' })
  })

  test('a stream without an end was cut', async () => {
    const { error } = await createAgent({ model: aiSdk(fakeProvider([text('So far')])) }).send('go').settled
    expect(error).toMatchObject({ code: 'model.cut' })
  })

  test.each([
    {
      error: { type: 'overloaded_error', message: 'Busy' },
      is: { code: 'model.overloaded', status: 529, retryable: true },
    },
    {
      error: { type: 'rate_limit_error', message: 'Slow' },
      is: { code: 'model.rateLimited', kind: 'rateLimit', status: 429 },
    },
    { error: { code: 'context_length_exceeded', message: 'Long' }, is: { code: 'model.overflow', retryable: false } },
    { error: new TypeError('terminated'), is: { code: 'model.cut', retryable: true } },
    { error: 'what?', is: { code: 'model.failed', message: 'fake/one: what?' } },
  ])('an error in the stream, $error, fails it as $is', async ({ error, is }) => {
    const provider = fakeProvider([[...text('So far'), { type: 'error', error }]])
    expect(await createAgent({ model: aiSdk(provider) }).send('go').settled).toMatchObject({
      status: 'failed',
      error: is,
    })
  })

  const date = 'Wed, 21 Oct 2026 07:28:00 GMT'
  test.each([
    { headers: { 'retry-after': '7' }, ms: 7000 },
    { headers: { 'retry-after-ms': '120', 'retry-after': '7' }, ms: 120 },
    { headers: { date, 'retry-after': 'Wed, 21 Oct 2026 07:28:05 GMT' }, ms: 5000 },
    { headers: { date, 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT' }, ms: undefined },
    { headers: { 'retry-after': 'soon' }, ms: undefined },
    { headers: {}, ms: undefined },
  ])('$headers asks to wait $ms ms', async ({ headers, ms }) => {
    const error = { message: 'Slow', statusCode: 429, responseHeaders: headers }
    const provider = fakeProvider([[{ type: 'error', error }]])
    const failed = await createAgent({ model: aiSdk(provider) }).send('go').settled
    expect((failed.error as ProviderError).retryAfterMs).toBe(ms)
  })

  test('an interrupt gives the stream back', async () => {
    const provider = fakeProvider([[...text('So far'), 'hang']])
    const turn = createAgent({ model: aiSdk(provider) }).send('go')
    for await (const _said of turn.text) turn.interrupt()
    expect(await turn).toMatchObject({ status: 'interrupted', text: 'So far' })
    expect(provider.sent[0]?.abortSignal.aborted).toBe(true)
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

  test('does not repeat a request that was refused', async () => {
    const provider = failing({ message: 'No', statusCode: 401 })
    const { error } = await createAgent({ model: aiSdk(provider), use: [retry()] }).send('go').settled
    expect(error).toMatchObject({ code: 'model.refused' })
    expect(provider.sent.length).toBe(1)
  })
})

describe('what goes to a provider', () => {
  test('a message has the same form, the very same, in every call', async () => {
    const replies = [1, 2, 3].map(n => [
      call('look', `{"n":${n}}`, { toolCallId: `c${n}` }),
      finish('v3', 'tool-calls'),
    ])
    const provider = fakeProvider([...replies, [...text('ok'), finish('v3')]])
    await createAgent({ model: aiSdk(provider), tools: [looked] }).send('go')
    const [, , third, fourth] = provider.sent
    expect(third?.prompt.map((form, i) => form === fourth?.prompt[i])).toEqual([true, true, true, true, true])
    expect(fourth?.tools).toBe(third?.tools)
  })

  test('instructions come first; system text in between is told as the user’s', async () => {
    const provider = fakeProvider([[...text('ok'), finish('v3')]])
    const messages: NewMessage[] = [
      { role: 'system', content: 'Be kind.' },
      user('Hi'),
      { role: 'system', content: 'It is late.' },
    ]
    const agent = createAgent({ model: aiSdk(provider), instructions: 'Be brief.' })
    await agent.conversation({ messages }).send('now')
    expect(provider.sent[0]?.prompt).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'user', content: [{ type: 'text', text: '<system>\nIt is late.\n</system>' }] },
      { role: 'user', content: [{ type: 'text', text: 'now' }] },
    ])
  })

  test('what says nothing is left out', async () => {
    const messages: NewMessage[] = [
      user('Hi'),
      { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm' }], interrupted: true },
      user('Go on'),
      { role: 'assistant', content: ' \n' },
    ]
    expect(await promptOf(messages)).toMatchObject([{ role: 'user' }, { role: 'user' }])
  })

  test('ids that a strict provider refuses are replaced in call and result alike', async () => {
    const id = `turn_${'x'.repeat(60)}.c0'`
    const prompt = await promptOf([
      user('Hi'),
      { role: 'assistant', content: [{ type: 'call', id, name: 'look', args: {} }] },
      { role: 'tool', content: [{ type: 'result', id, name: 'look', status: 'ok', value: 1 }] },
    ])
    const [, made, answered] = prompt as { content: { toolCallId: string }[] }[]
    expect(made?.content[0]?.toolCallId).toMatch(/^[\w-]{1,40}$/)
    expect(answered?.content[0]?.toolCallId).toBe(made?.content[0]?.toolCallId)
  })

  test('a tool whose name a provider refuses has another one there, and its own here', async () => {
    const names = ['files.read:all', `long_${'x'.repeat(80)}`]
    const ran: string[] = []
    const tools = names.map(name => tool({ name, run: () => ran.push(name) }))
    const calls = names.map((name, n) => call(providerName(name), '{}', { toolCallId: `c${n}` }))
    const provider = fakeProvider([
      [...calls, finish('v3', 'tool-calls')],
      [...text('ok'), finish('v3')],
    ])
    const { messages } = await createAgent({ model: aiSdk(provider), tools }).send('go')
    const sent = (provider.sent[0] as unknown as { tools: { name: string }[] }).tools.map(({ name }) => name)
    expect(sent.every(name => /^[\w-]{1,64}$/.test(name))).toBe(true)
    expect(ran).toEqual(names)
    expect(messages[1]?.content).toMatchObject(names.map(name => ({ type: 'call', name })))
    expect(provider.sent[1]?.prompt[2]?.content).toMatchObject(sent.map(toolName => ({ toolName })))
  })

  const image = { type: 'file', mediaType: 'image/png', data: 'AQID' } as const

  test.each([
    { name: 'text', status: 'ok', value: 'Sunny', output: { type: 'text', value: 'Sunny' } },
    { name: 'data', status: 'ok', value: { c: 3 }, output: { type: 'json', value: { c: 3 } } },
    { name: 'nothing', status: 'ok', value: null, output: { type: 'json', value: null } },
    { name: 'an error', status: 'error', value: 'No.', output: { type: 'error-text', value: 'No.' } },
    { name: 'a denial', status: 'denied', value: { by: 'Ann' }, output: { type: 'error-json', value: { by: 'Ann' } } },
    {
      name: 'an image (v2)',
      spec: 'v2',
      status: 'ok',
      value: image,
      output: { type: 'content', value: [{ type: 'media', mediaType: 'image/png', data: 'AQID' }] },
    },
    {
      name: 'text and an image (v3)',
      status: 'ok',
      value: [{ type: 'text', text: 'This:' }, image],
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'This:' },
          { type: 'image-data', mediaType: 'image/png', data: 'AQID' },
        ],
      },
    },
    {
      name: 'an image (v4)',
      spec: 'v4',
      status: 'ok',
      value: image,
      output: {
        type: 'content',
        value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } }],
      },
    },
  ] as const)('a result that is $name', async ({ status, value, output, ...rest }) => {
    const prompt = await promptOf(
      [
        user('Hi'),
        { role: 'assistant', content: [{ type: 'call', id: 'a', name: 'look', args: {} }] },
        { role: 'tool', content: [{ type: 'result', id: 'a', name: 'look', status, value }] },
      ],
      'spec' in rest ? rest.spec : 'v3',
      { provider: 'anthropic.messages' },
    )
    expect(prompt?.[2]?.content).toEqual([{ type: 'tool-result', toolCallId: 'a', toolName: 'look', output }])
  })

  test('files of tools are shown behind all results where a result cannot have them', async () => {
    const call = (id: string) => ({ type: 'call', id, name: 'look', args: {} }) as const
    const result = (id: string, value: unknown): NewMessage => ({
      role: 'tool',
      content: [{ type: 'result', id, name: 'look', status: 'ok', value }],
    })
    const shown = [{ type: 'text', text: 'This:' }, image]
    const prompt = await promptOf([
      user('Hi'),
      { role: 'assistant', content: [call('a'), call('b')] },
      result('a', shown),
      result('b', 1),
    ])
    expect(prompt?.slice(2)).toEqual([
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'look',
            output: { type: 'text', value: 'This:\n[image/png: shown below]' },
          },
          { type: 'tool-result', toolCallId: 'b', toolName: 'look', output: { type: 'json', value: 1 } },
        ],
      },
      { role: 'user', content: [image] },
    ])
  })

  const supportedUrls = { 'image/*': [/^https:/] }
  const address = new URL('https://example.com/cat.png')
  const bytes = new Uint8Array([1, 2, 3])

  test.each([
    { name: 'bytes, as they are recorded', part: { ...image, data: bytes }, sent: image },
    {
      name: 'bytes, as they are recorded (v4)',
      spec: 'v4',
      part: { ...image, data: bytes },
      sent: { ...image, data: { type: 'data', data: image.data } },
    },
    { name: 'an address', part: { ...image, data: address }, sent: { ...image, data: address } },
    {
      name: 'an address (v4)',
      spec: 'v4',
      part: { ...image, data: address },
      sent: { ...image, data: { type: 'url', url: address } },
    },
    { name: 'an address that was stored', part: { ...image, data: address.href }, sent: { ...image, data: address } },
    { name: 'a data URL', part: { ...image, data: 'data:image/png;base64,AQID' }, sent: image },
    { name: 'a file with a name', part: { ...image, name: 'cat.png' }, sent: { ...image, filename: 'cat.png' } },
    {
      name: 'a text file, which becomes text',
      part: {
        type: 'file',
        mediaType: 'text/plain',
        name: 'a.txt',
        data: new TextEncoder().encode('héllo'),
      },
      sent: { type: 'text', text: 'a.txt:\nhéllo' },
    },
  ] as const)('an attachment: $name', async ({ part, sent, ...rest }) => {
    const prompt = await promptOf([user([{ type: 'text', text: 'Look' }, part])], 'spec' in rest ? rest.spec : 'v3', {
      supportedUrls,
    })
    expect(prompt?.[0]?.content).toEqual([{ type: 'text', text: 'Look' }, sent])
  })

  test('an address that the provider does not fetch is refused, not fetched', async () => {
    const pdf = { type: 'file', mediaType: 'application/pdf', data: new URL('http://169.254.169.254/x') } as const
    await expect(promptOf([user([pdf])], 'v3', { supportedUrls })).rejects.toMatchObject({ code: 'file.address' })
  })

  test('parameters of the model, then of the call, reach the provider', async () => {
    const provider = fakeProvider([[...text('ok'), finish('v3')]], { provider: 'openai.responses' })
    const params = { temperature: 1, seed: 7, providerOptions: { openai: { user: 'u' }, other: { a: 1 } } }
    const cooler = middleware({
      name: 'cooler',
      beforeModel: ctx => {
        const own = { temperature: 0, toolChoice: 'none', nonsense: 1, providerOptions: { openai: { effort: 'low' } } }
        ctx.prompt = { ...ctx.prompt, params: own }
      },
    })
    await createAgent({ model: aiSdk(provider, { params }), use: [cooler] }).send('go')
    const { prompt: _prompt, abortSignal: _signal, ...sent } = provider.sent[0] as (typeof provider.sent)[number]
    expect(sent).toEqual({
      temperature: 0,
      seed: 7,
      toolChoice: { type: 'none' },
      providerOptions: { openai: { store: false, user: 'u', effort: 'low' }, other: { a: 1 } },
    })
  })

  test.each([
    { spec: 'v2', type: 'provider-defined' },
    { spec: 'v3', type: 'provider' },
  ])('tools of the provider stand beside ours ($spec)', async ({ spec, type }) => {
    const provider = fakeProvider([[...text('ok'), finish(spec)]], { spec })
    const providerTools = { search: { id: 'fake.search_1', args: { max: 3 } } }
    await createAgent({ model: aiSdk(provider, { providerTools }), tools: [looked] }).send('go')
    expect(provider.sent[0]?.tools).toEqual([
      { type: 'function', name: 'look', description: '', inputSchema: { type: 'object', properties: {} } },
      { type, id: 'fake.search_1', name: 'search', args: { max: 3 } },
    ])
  })

  test('what promptCache marks is marked for the provider', async () => {
    const provider = fakeProvider([[...text('ok'), finish('v3')]])
    const agent = createAgent({
      model: aiSdk(provider),
      instructions: 'Long.',
      tools: [looked],
      use: [promptCache({ ttl: '1h' })],
    })
    await agent.conversation({ messages: [user('One'), { role: 'assistant', content: 'Two' }] }).send('Three')
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } }
    const { prompt, tools } = provider.sent[0] as (typeof provider.sent)[number]
    expect(prompt).toMatchObject([{ providerOptions }, {}, { providerOptions }, { providerOptions }])
    expect(prompt[1]).not.toHaveProperty('providerOptions')
    expect(tools).toMatchObject([{ providerOptions }])
  })

  const closed = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
  test.each([
    { name: 'a closed schema', schema: closed, strict: undefined },
    { name: 'an open schema', schema: { ...closed, additionalProperties: true }, strict: false },
    { name: 'optional members inside', schema: { type: 'array', items: { ...closed, required: [] } }, strict: false },
  ])('structured output: $name', async ({ schema, strict }) => {
    const provider = fakeProvider([[...text('{}'), finish('v3')]])
    const responseFormat = { type: 'json', schema } as const
    await createAgent({ model: aiSdk(provider, { params: { responseFormat } }) }).send('go')
    expect(provider.sent[0]?.responseFormat).toBe(responseFormat)
    const options = provider.sent[0]?.providerOptions as { openai?: { strictJsonSchema?: boolean } } | undefined
    expect(options?.openai?.strictJsonSchema).toBe(strict)
  })
})
