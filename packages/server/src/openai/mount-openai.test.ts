import OpenAI, { APIError } from 'openai'
import { type CreateAgentOptions, type Model, type Prompt, textOf, tool } from 'turnbuckle'
import { approval, clarify, retry } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate, type Served, serve } from '../../test/serve.ts'

const add = tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })
const callsAdd = { text: 'Let me see.', calls: [{ name: 'add', args: { a: 2, b: 3 } }] }
const usage = { inputTokens: 10, outputTokens: 4, cachedInputTokens: 2, reasoningTokens: 1 }
const failing = Object.assign(new Error('overloaded'), { status: 503 })

const clientOf = ({ url }: Served, apiKey = 'secret') => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 2 })
const promptOf = (prompt: Prompt | undefined) => [
  prompt?.instructions ?? '',
  ...(prompt?.messages ?? []).map(message => `${message.role}: ${textOf(message)}`),
]
const stores: { what: string; store: CreateAgentOptions['store'] }[] = [
  { what: 'without a store', store: undefined },
  { what: 'on a store', store: memoryStore() },
]
const user = (content: string) => ({ role: 'user' as const, content })
const said = (content: string | null | undefined) => ({ role: 'assistant' as const, content: content ?? '' })

async function serveOn(model: Model, more: Partial<CreateAgentOptions> & { store?: CreateAgentOptions['store'] } = {}) {
  const { store } = more
  return serve({ model, name: 'sums', ...more } as CreateAgentOptions, store ? { store: store as never } : {})
}

test('a chat completion is a turn: tools run, usage and the finish reason are told', async () => {
  const server = await serveOn(
    scriptedModel([
      { ...callsAdd, usage },
      { text: 'Five.', usage, finish: 'length' },
    ]),
    { tools: [add] },
  )
  const client = clientOf(server)
  const completion = await client.chat.completions.create({ model: 'any', messages: [user('2 + 3?')] })
  expect(completion).toMatchObject({
    object: 'chat.completion',
    model: 'sums',
    choices: [{ message: { role: 'assistant', content: 'Let me see.\n\nFive.' }, finish_reason: 'length' }],
    usage: {
      prompt_tokens: 20,
      completion_tokens: 8,
      total_tokens: 28,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
  })
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['sums'])
})

test('a streamed chat completion has the same text, and the usage where it is asked for', async () => {
  const server = await serveOn(
    scriptedModel([
      { ...callsAdd, usage },
      { text: 'Five.', usage },
    ]),
    { tools: [add] },
  )
  const runner = clientOf(server).chat.completions.stream({
    model: 'any',
    messages: [user('2 + 3?')],
    stream_options: { include_usage: true },
  })
  const completion = await runner.finalChatCompletion()
  expect(completion.choices[0]).toMatchObject({ message: { content: 'Let me see.\n\nFive.' }, finish_reason: 'stop' })
  expect(completion.usage).toMatchObject({ total_tokens: 28 })
})

test.each(stores)(
  'a history that was told goes on in its conversation, $what; any other begins one with it',
  async ({ store }) => {
    const model = scriptedModel(['A', 'B', 'C', 'D'])
    const server = await serveOn(model, { store })
    const client = clientOf(server)
    const ask = async (messages: OpenAI.ChatCompletionMessageParam[], stream: boolean) => {
      if (!stream) return (await client.chat.completions.create({ model: 'x', messages })).choices[0]?.message.content
      const runner = client.chat.completions.stream({ model: 'x', messages })
      return (await runner.finalChatCompletion()).choices[0]?.message.content
    }
    const system = { role: 'system' as const, content: 'Be brief.' }
    const a = await ask([system, user('a')], true)
    const b = await ask([system, user('a'), said(a), user('b')], false)
    await ask([system, user('a'), said(a), user('b'), said(b), user('c')], true)
    expect(promptOf(model.prompts[2])).toEqual([
      'Be brief.',
      'user: a',
      'assistant: A',
      'user: b',
      'assistant: B',
      'user: c',
    ])
    const list = async () => (await server.call('GET', '/api/conversations')).body.conversations
    expect(await list()).toHaveLength(1)
    await ask([user('a'), said('Never said.'), user('d')], false)
    expect(promptOf(model.prompts[3])).toEqual(['', 'user: a', 'assistant: Never said.', 'user: d'])
    const [newest, ...older] = await list()
    expect(older).toHaveLength(1)
    const { nodes } = (await server.call('GET', `/api/conversations/${newest.id}`)).body
    expect(nodes).toHaveLength(4)
  },
)

test('nobody goes on in a conversation of another person', async () => {
  const model = scriptedModel(['A', 'B'])
  const server = await serve(
    { model },
    { token: undefined, tokens: 'ann:ann-token,bob:bob-token,eve:eve-token:viewer' },
  )
  await clientOf(server, 'ann-token').chat.completions.create({ model: 'x', messages: [user('a')] })
  await clientOf(server, 'bob-token').chat.completions.create({
    model: 'x',
    messages: [user('a'), said('A'), user('b')],
  })
  const { body } = await server.call('GET', '/api/conversations')
  expect(body.conversations).toHaveLength(1)
  const eve = clientOf(server, 'eve-token').chat.completions.create({ model: 'x', messages: [user('a')] })
  await expect(eve).rejects.toMatchObject({ status: 403, code: 'role.missing' })
  const { id } = body.conversations[0]
  const [known] = (await server.call('GET', `/api/conversations/${id}`)).body.turns
  const foreign = clientOf(server, 'bob-token').responses.create({
    model: 'x',
    input: 'b',
    previous_response_id: known.id,
  })
  await expect(foreign).rejects.toMatchObject({ status: 404, code: 'turn.missing' })
})

test('a response is a turn, and the next goes on behind it or at the head of its conversation', async () => {
  const model = scriptedModel([{ ...callsAdd, usage }, { text: 'Five.', usage }, 'Nine.', 'Ten.'])
  const client = clientOf(await serveOn(model, { tools: [add] }))
  const first = await client.responses.create({ model: 'any', instructions: 'Be brief.', input: '2 + 3?' })
  expect(first).toMatchObject({
    object: 'response',
    status: 'completed',
    output_text: 'Let me see.Five.',
    instructions: 'Be brief.',
    usage: { input_tokens: 20, output_tokens: 8, total_tokens: 28 },
  })
  expect(first.output).toMatchObject([{ type: 'message' }, { type: 'message' }])
  const second = await client.responses.create({ model: 'any', input: '4 + 5?', previous_response_id: first.id })
  expect(promptOf(model.prompts[2])).toEqual([
    '',
    'user: 2 + 3?',
    'assistant: Let me see.',
    'tool: ',
    'assistant: Five.',
    'user: 4 + 5?',
  ])
  expect(second.previous_response_id).toBe(first.id)
  await client.responses.create({ model: 'any', input: '5 + 5?', conversation: second.conversation?.id ?? '' })
  expect(promptOf(model.prompts[3]).slice(-2)).toEqual(['assistant: Nine.', 'user: 5 + 5?'])
})

test('a streamed response is told item by item; an attempt that was given up is none of them', async () => {
  const model = scriptedModel([{ text: 'Half of an ans', error: failing }, 'An answer.'])
  const client = clientOf(await serveOn(model, { use: [retry({ times: 1, baseMs: 0 })] }))
  const stream = client.responses.stream({ model: 'any', input: 'Hi.' })
  const types: string[] = []
  let text = ''
  for await (const event of stream) {
    types.push(event.type.replace('response.', ''))
    if (event.type === 'response.output_text.delta') text += event.delta
  }
  const item = [
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'output_text.done',
    'content_part.done',
    'output_item.done',
  ]
  expect(types).toEqual(['created', 'in_progress', ...item, ...item, 'completed'])
  expect(text).toBe('Half of an ansAn answer.')
  expect((await stream.finalResponse()).output).toMatchObject([
    { status: 'completed', content: [{ type: 'output_text', text: 'An answer.' }] },
  ])
})

test.each(['chat', 'response'])('a permission is denied at once, and a question has no answer: %s', async form => {
  const asks = { calls: [{ name: 'ask_person', args: { question: 'Which?' } }] }
  const model = scriptedModel([callsAdd, asks, 'I may not.'])
  const server = await serveOn(model, { tools: [add], use: [approval(), clarify()] })
  const client = clientOf(server)
  const answer =
    form === 'chat'
      ? (await client.chat.completions.create({ model: 'x', messages: [user('2 + 3?')] })).choices[0]?.message.content
      : (await client.responses.create({ model: 'x', input: '2 + 3?' })).output_text
  expect(answer).toContain('I may not.')
  const results = model.prompts[2]?.messages.flatMap(({ content }) =>
    content.flatMap(part => (part.type === 'result' ? [part] : [])),
  )
  expect(results).toMatchObject([{ status: 'denied' }, { name: 'ask_person' }])
})

test('a turn that fails is an error that no client repeats, whole and streamed', async () => {
  const model = scriptedModel([
    { error: new Error('no more') },
    { text: 'Wel', error: new Error('no more') },
    { error: new Error('no more') },
  ])
  const client = clientOf(await serveOn(model))
  const whole = client.chat.completions.create({ model: 'x', messages: [user('a')] })
  await expect(whole).rejects.toMatchObject({
    status: 500,
    code: 'turn.failed',
    type: 'server_error',
    message: '500 no more',
  })
  const streamed = client.chat.completions.stream({ model: 'x', messages: [user('a')] }).finalChatCompletion()
  await expect(streamed).rejects.toBeInstanceOf(APIError)
  const events = await client.responses.create({ model: 'x', input: 'a', stream: true })
  let last: unknown
  for await (const event of events) last = event
  expect(last).toMatchObject({ type: 'response.failed', response: { error: { message: 'no more' } } })
  expect(model.prompts).toHaveLength(3)
})

test('a conversation that is not to be stored is gone when the turn has ended', async () => {
  const server = await serveOn(scriptedModel(['A', 'B']))
  const client = clientOf(server)
  await client.responses.create({ model: 'x', input: 'a', store: false })
  await client.chat.completions.stream({ model: 'x', messages: [user('a')], store: false }).done()
  const list = async () => (await server.call('GET', '/api/conversations')).body.conversations
  await expect.poll(list).toEqual([])
})

test('a client that leaves stops its turn', async () => {
  const begun = gate()
  const model: Model = {
    id: 'endless',
    async *stream(_prompt, { signal }) {
      yield { type: 'text', text: 'One ' }
      begun.open()
      await new Promise(resolve => signal.addEventListener('abort', resolve))
    },
  }
  const server = await serveOn(model)
  const turns = async () => {
    const { conversations } = (await server.call('GET', '/api/conversations')).body
    return (await server.call('GET', `/api/conversations/${conversations[0]?.id}`)).body.turns
  }
  const stream = await clientOf(server).chat.completions.create({ model: 'x', messages: [user('a')], stream: true })
  for await (const _chunk of stream) {
    await begun.opened
    break
  }
  await expect.poll(turns).toMatchObject([{ status: 'interrupted', reason: 'The client has left.' }])
})

test.each([
  { what: 'tools of the client', body: { tools: [{ type: 'function', function: { name: 'x' } }] } },
  { what: 'several answers', body: { n: 2 } },
  { what: 'JSON', body: { response_format: { type: 'json_object' } } },
  { what: 'an answer at the end', body: { messages: [user('a'), said('A')] } },
  {
    what: 'a file that has to be fetched',
    body: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.org/a.png' } }] }] },
  },
])('$what cannot be had: an error in OpenAI’s form', async ({ body }) => {
  const client = clientOf(await serveOn(scriptedModel([])))
  const asked = client.chat.completions.create({ model: 'x', messages: [user('a')], ...body } as never)
  await expect(asked).rejects.toMatchObject({ status: 400, code: 'body.invalid', type: 'invalid_request_error' })
})

test('a picture and a history with tools of elsewhere reach the model; a wrong token does not', async () => {
  const model = scriptedModel(['A cat.'])
  const server = await serveOn(model)
  const url = 'data:image/png;base64,iVBORw0K'
  await clientOf(server).chat.completions.create({
    model: 'x',
    messages: [
      user('Weather?'),
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Sunny' },
      said('Sunny.'),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And this?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  })
  const parts = model.prompts[0]?.messages.flatMap(({ content }) => [...content])
  expect(parts).toMatchObject([
    { type: 'text', text: 'Weather?' },
    { type: 'call', id: 'c1', name: 'weather', args: { city: 'Oslo' } },
    { type: 'result', id: 'c1', status: 'ok', value: 'Sunny' },
    { type: 'text', text: 'Sunny.' },
    { type: 'text', text: 'And this?' },
    { type: 'file', mediaType: 'image/png', data: 'iVBORw0K' },
  ])
  const wrong = clientOf(server, 'wrong').chat.completions.create({ model: 'x', messages: [user('a')] })
  await expect(wrong).rejects.toMatchObject({ status: 401, code: 'token.invalid', type: 'authentication_error' })
})
