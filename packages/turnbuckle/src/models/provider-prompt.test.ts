import { createAgent, middleware, type NewMessage, tool } from 'turnbuckle'
import { aiSdk } from 'turnbuckle/ai-sdk'
import { promptCache } from 'turnbuckle/middleware'
import { describe, expect, test } from 'vitest'
import { call, fakeProvider, finish, text } from '../../test/models/fake-provider.ts'
import { providerName } from './provider-id.ts'

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
      name: 'an image among anything, as MCP servers send it',
      status: 'ok',
      value: ['This:', image, { type: 'source', url: 'https://example.com' }],
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'This:' },
          { type: 'image-data', mediaType: 'image/png', data: 'AQID' },
          { type: 'text', text: '{"type":"source","url":"https://example.com"}' },
        ],
      },
    },
    {
      name: 'files that the provider would refuse',
      status: 'ok',
      value: [
        { ...image, mediaType: 'application/zip', name: 'all.zip' },
        { ...image, mediaType: 'text/csv', data: 'YSxi' },
        { ...image, data: 'no Base64' },
        { ...image, mediaType: 'text/plain', data: 'no Base64' },
        { ...image, mediaType: 'text/plain', data: 'YSxiY' },
        { ...image, data: 'https://[' },
        { ...image, mediaType: 'audio/wav', data: 'https://example.com/a.wav' },
      ],
      output: {
        type: 'content',
        value: [
          { type: 'text', text: '[all.zip: a file that cannot be shown to anthropic/one]' },
          { type: 'text', text: 'a,b' },
          { type: 'text', text: '[image/png: a file that cannot be shown to anthropic/one]' },
          { type: 'text', text: '[text/plain: a file that cannot be shown to anthropic/one]' },
          { type: 'text', text: '[text/plain: a file that cannot be shown to anthropic/one]' },
          { type: 'text', text: '[image/png: a file that cannot be shown to anthropic/one]' },
          { type: 'text', text: '[audio/wav: a file that cannot be shown to anthropic/one]' },
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

  const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' }
  const note = 'A person changed the arguments to {"to":"joe"}.'
  test.each([
    { value: 'sent', status: 'ok', output: { type: 'text', value: `${note}\n\nsent` } },
    { value: { sent: 1 }, status: 'ok', output: { type: 'json', value: { note, result: { sent: 1 } } } },
    { value: 'no', status: 'error', output: { type: 'error-text', value: `${note}\n\nno` } },
    { value: file, status: 'ok', output: { type: 'text', value: `${note}\n[image/png: shown below]` } },
  ] as const)(
    'a call that a person has changed is told with its result: $output.type',
    async ({ value, status, output }) => {
      const messages: NewMessage[] = [
        user('Hi'),
        { role: 'assistant', content: [{ type: 'call', id: '1', name: 'send', args: { to: 'all' } }] },
        { role: 'tool', content: [{ type: 'result', id: '1', name: 'send', status, value, args: { to: 'joe' } }] },
      ]
      const prompt = await promptOf(messages)
      expect(prompt?.find(({ role }) => role === 'tool')?.content).toMatchObject([{ output }])
    },
  )

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
