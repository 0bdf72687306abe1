import { createAnthropic } from '@ai-sdk/anthropic'
import { createAnthropic as createAnthropicV2 } from 'ai-sdk-anthropic-v2'
import { createAnthropic as createAnthropicV4 } from 'ai-sdk-anthropic-v4'
import { createGoogleGenerativeAI as createGoogleV4 } from 'ai-sdk-google-v4'
import { createOpenAI as createOpenAIV4 } from 'ai-sdk-openai-v4'
import { createAgent, type Request, type Turn, tool } from 'turnbuckle'
import { aiSdk } from 'turnbuckle/ai-sdk'
import { approval } from 'turnbuckle/middleware'
import { describe, expect, test } from 'vitest'
import { anthropicReply, openaiReply, serveOwn } from './own-replies.ts'

/** Small recordings of our own; `npm run test:recordings` plays real ones, and compares with `streamText`. */
const apiKey = 'none'
const search = { id: 'anthropic.web_search_20250305', args: {} }
const searching = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Oslo' } }
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [
    { type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'secret', page_age: null },
  ],
}

describe.each([
  { spec: 'v2', create: createAnthropicV2 },
  { spec: 'v3', create: createAnthropic },
  { spec: 'v4', create: createAnthropicV4 },
])('Anthropic, $spec', ({ create }) => {
  test('a turn that pauses in mid-search goes on by itself, and the search keeps its place', async () => {
    const { bodies, fetch } = serveOwn([
      anthropicReply([{ type: 'text', text: 'I look.' }, searching], 'pause_turn'),
      anthropicReply([found, { type: 'text', text: 'Sunny.' }]),
      anthropicReply([{ type: 'text', text: 'Yes.' }]),
    ])
    const model = aiSdk(create({ apiKey, fetch })('claude-sonnet-4-5'), { providerTools: { web_search: search } })
    const chat = createAgent({ model }).conversation()
    const turn = await chat.send('Weather?')
    expect(turn).toMatchObject({ status: 'completed', steps: 2, text: 'Sunny.' })
    // Nobody speaks in between: the assistant's work is the end of the prompt.
    expect(rolesIn(bodies[1])).toEqual(['user', 'assistant'])
    expect(typesIn(bodies[1])).toEqual(['text', 'server_tool_use'])
    await chat.send('Sure?')
    expect(bodies[2]?.messages.flatMap(({ content }) => content.map(({ type }) => type))).toEqual([
      ...['text', 'text', 'server_tool_use', 'web_search_tool_result', 'text', 'text'],
    ])
  })
})

const rolesIn = (body: { messages: readonly { role: string }[] } | undefined) => body?.messages.map(({ role }) => role)
const typesIn = (body: { messages: readonly { content: readonly { type?: unknown }[] }[] } | undefined) =>
  body?.messages.at(-1)?.content.map(({ type }) => type)

test('a call that the provider makes from its code keeps its caller, and the code gets its result later', async () => {
  const code = { type: 'server_tool_use', id: 'srvtoolu_2', name: 'code_execution', input: { code: 'roll()' } }
  const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_2' }
  const ran = { type: 'code_execution_result', stdout: '6', stderr: '', return_code: 0, content: [] }
  const { bodies, fetch } = serveOwn([
    anthropicReply([code, { type: 'tool_use', id: 'toolu_1', name: 'roll', input: {}, caller }], 'tool_use'),
    anthropicReply([
      { type: 'code_execution_tool_result', tool_use_id: 'srvtoolu_2', content: ran },
      { type: 'text', text: 'Six.' },
    ]),
    anthropicReply([{ type: 'text', text: 'Yes.' }]),
  ])
  const providerTools = { code_execution: { id: 'anthropic.code_execution_20250825', args: {} } }
  const model = aiSdk(createAnthropicV4({ apiKey, fetch })('claude-sonnet-4-5'), { providerTools })
  const chat = createAgent({ model, tools: [tool({ name: 'roll', run: () => 6 })] }).conversation()
  expect(await chat.send('Roll.')).toMatchObject({ status: 'completed', steps: 2, text: 'Six.' })
  expect(bodies[1]?.messages[1]?.content).toMatchObject([{ type: 'server_tool_use' }, { type: 'tool_use', caller }])
  await chat.send('Sure?')
  expect(bodies[2]?.messages[3]?.content).toMatchObject([
    { type: 'code_execution_tool_result', tool_use_id: 'srvtoolu_2' },
    { type: 'text', text: 'Six.' },
  ])
})

test('a custom part (here of a fallback to another model) is kept and sent back', async () => {
  const fell = { type: 'fallback', from: { model: 'one' }, to: { model: 'two' } }
  const { bodies, fetch } = serveOwn([
    anthropicReply([fell, { type: 'text', text: 'Hello.' }]),
    anthropicReply([{ type: 'text', text: 'Yes.' }]),
  ])
  const chat = createAgent({ model: aiSdk(createAnthropicV4({ apiKey, fetch })('claude-sonnet-4-5')) }).conversation()
  const { messages } = await chat.send('Hello.')
  expect(messages.at(-1)?.content).toMatchObject([{ type: 'custom', kind: 'anthropic.fallback' }, { type: 'text' }])
  await chat.send('Sure?')
  expect(bodies[1]?.messages[1]?.content).toMatchObject([fell, { type: 'text' }])
})

test('a source in the middle of a text leaves it whole, with its data', async () => {
  const annotation = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 5 }
  const { bodies, fetch } = serveOwn([
    openaiReply([{ id: 'msg_1', type: 'message', texts: ['Sunny', ', they say', '.'], annotation }]),
    openaiReply([{ id: 'msg_2', type: 'message', texts: ['Yes.'] }]),
  ])
  const params = { providerOptions: { openai: { store: true } } }
  const chat = createAgent({ model: aiSdk(createOpenAIV4({ apiKey, fetch })('gpt-4o'), { params }) }).conversation()
  const { messages } = await chat.send('Weather?')
  const [text, source, ...more] = messages.at(-1)?.content ?? []
  expect(text).toMatchObject({ type: 'text', text: 'Sunny, they say.', meta: { openai: { itemId: 'msg_1' } } })
  expect([source, more]).toMatchObject([{ type: 'source', url: 'https://a.example', title: 'A' }, []])
  await chat.send('Sure?')
  expect(bodies[1]?.input.slice(1, -1)).toEqual([{ type: 'item_reference', id: 'msg_1' }])
})

test('two blocks of text stay apart where one has a signature: it is for its own words', async () => {
  const piece = (part: object) => ({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }] })
  const last = { candidates: [{ content: { parts: [] }, finishReason: 'STOP', index: 0 }] }
  const thought = piece({ text: 'Hm.', thought: true })
  const replies = [[piece({ text: 'One. ' }), thought, piece({ text: 'Two.', thoughtSignature: 'sig' }), last], [last]]
  const { bodies, fetch } = serveOwn(replies)
  const chat = createAgent({ model: aiSdk(createGoogleV4({ apiKey, fetch })('gemini-3-pro-preview')) }).conversation()
  await chat.send('Count.')
  await chat.send('Sure?').settled
  const sent = bodies[1]?.contents[1]?.parts.filter(({ thought }) => !thought)
  expect(sent).toEqual([{ text: 'One. ' }, { text: 'Two.', thoughtSignature: 'sig' }])
})

describe('a provider that asks before it runs a call', () => {
  const asked = {
    id: 'mcpr_1',
    type: 'mcp_approval_request',
    server_label: 'zip',
    name: 'shorten',
    arguments: '{"url":"https://a.example"}',
  }
  const ran = {
    ...asked,
    id: 'mcp_1',
    type: 'mcp_call',
    approval_request_id: 'mcpr_1',
    output: 'zip.io/1',
    error: null,
  }
  const mcp = {
    id: 'openai.mcp',
    args: { serverLabel: 'zip', serverUrl: 'https://zip.example', requireApproval: 'always' },
  }

  function begin(use: Parameters<typeof createAgent>[0]['use'] = []) {
    const { bodies, fetch } = serveOwn([
      openaiReply([asked]),
      openaiReply([ran, { id: 'msg_1', type: 'message', texts: ['zip.io/1'] }]),
    ])
    const model = aiSdk(createOpenAIV4({ apiKey, fetch })('gpt-5'), { providerTools: { mcp } })
    return { bodies, turn: createAgent({ model, use }).send('Shorten it.') }
  }
  async function answer(turn: Turn, given: object): Promise<Omit<Request, 'id'>[]> {
    const requests: Request[] = []
    for await (const event of turn)
      if (event.type === 'request.opened') {
        requests.push(event as never)
        void turn.answer(event.requestId, given)
      }
    return requests
  }

  test.each([
    { given: { decision: 'allow' }, approve: true, status: 'ok' },
    { given: { decision: 'deny', reason: 'Not that.' }, approve: false, status: 'denied' },
  ])('$given.decision: a person is asked once, and the provider told', async ({ given, approve, status }) => {
    const { bodies, turn } = begin()
    const payload = { name: 'mcp.shorten', args: { url: 'https://a.example' }, scopes: ['once'] }
    expect(await answer(turn, given)).toMatchObject([{ kind: 'permission', payload }])
    expect(bodies[1]?.input.at(-1)).toEqual({ type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve })
    const { messages } = await turn.settled
    expect(messages.flatMap(({ role, content }) => (role === 'tool' ? content : []))).toMatchObject([{ status }])
  })

  test('a yes that approval() has had is enough, and its no is final', async () => {
    const allowed = begin([approval()])
    expect(await answer(allowed.turn, { decision: 'allow' })).toHaveLength(1)
    expect(allowed.bodies[1]?.input.at(-1)).toMatchObject({ approve: true })
    const denied = begin([approval({ deny: ['mcp.*'] })])
    expect(await answer(denied.turn, { decision: 'allow' })).toHaveLength(0)
    expect(denied.bodies[1]?.input.at(-1)).toMatchObject({ approve: false })
  })

  test('its arguments cannot be changed: the provider would run the ones it has asked about', async () => {
    const { turn } = begin()
    for await (const event of turn) {
      if (event.type !== 'request.opened') continue
      await expect(async () => turn.answer(event.requestId, { decision: 'allow', args: {} })).rejects.toMatchObject({
        code: 'request.invalid',
      })
      void turn.answer(event.requestId, { decision: 'deny' })
    }
  })
})

describe('a tool that the provider defines and we run', () => {
  test('a shell of OpenAI: told by its id, its result in its own form', async () => {
    const action = { commands: ['ls'] }
    const { bodies, fetch } = serveOwn([
      openaiReply([{ id: 'sh_1', type: 'shell_call', call_id: 'call_1', status: 'completed', action } as never]),
      openaiReply([{ id: 'msg_1', type: 'message', texts: ['One file.'] }]),
    ])
    const ran: unknown[] = []
    const shell = tool({
      name: 'shell',
      provider: { id: 'openai.shell' },
      run: args => {
        ran.push(args)
        return { output: [{ stdout: 'a\n', stderr: '', outcome: { type: 'exit', exitCode: 0 } }] }
      },
    })
    const model = aiSdk(createOpenAIV4({ apiKey, fetch })('gpt-5'))
    expect(await createAgent({ model, tools: [shell] }).send('List.')).toMatchObject({ text: 'One file.' })
    expect({ ran, tools: bodies[0]?.tools }).toMatchObject({ ran: [{ action }], tools: [{ type: 'shell' }] })
    expect(bodies[1]?.input.at(-1)).toMatchObject({ type: 'shell_call_output', output: [{ stdout: 'a\n' }] })
  })

  test('a freeform tool of OpenAI gets its text as `input`, and the text goes back', async () => {
    const made = {
      id: 'ctc_1',
      type: 'custom_tool_call',
      call_id: 'call_1',
      name: 'sql',
      input: 'SELECT 1',
      status: 'completed',
    }
    const { bodies, fetch } = serveOwn([
      openaiReply([made]),
      openaiReply([{ id: 'msg_1', type: 'message', texts: ['1'] }]),
    ])
    const ran: unknown[] = []
    const sql = tool({ name: 'sql', provider: { id: 'openai.custom' }, run: ({ input }) => void ran.push(input) })
    const model = aiSdk(createOpenAIV4({ apiKey, fetch })('gpt-5'))
    expect(await createAgent({ model, tools: [sql] }).send('Count.')).toMatchObject({ status: 'completed', text: '1' })
    expect(ran).toEqual(['SELECT 1'])
    expect(bodies[1]?.input.at(-2)).toMatchObject({ type: 'custom_tool_call', input: 'SELECT 1' })
  })

  test("Anthropic's bash runs through the hooks; another provider is told a function", async () => {
    const bash = tool({
      name: 'bash',
      description: 'Runs.',
      provider: { id: 'anthropic.bash_20250124' },
      run: () => 'a',
    })
    const { bodies, fetch } = serveOwn([
      anthropicReply([{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls' } }], 'tool_use'),
      anthropicReply([{ type: 'text', text: 'One file.' }]),
    ])
    const model = aiSdk(createAnthropicV4({ apiKey, fetch })('claude-sonnet-4-5'))
    const turn = createAgent({ model, tools: [bash], use: [approval({ allow: ['bash(ls)'] })] }).send('List.')
    expect(await turn).toMatchObject({ status: 'completed', text: 'One file.' })
    expect(bodies[0]?.tools).toMatchObject([{ type: 'bash_20250124', name: 'bash' }])
    const other = serveOwn([openaiReply([{ id: 'msg_1', type: 'message', texts: ['Hi.'] }])])
    await createAgent({ model: aiSdk(createOpenAIV4({ apiKey, fetch: other.fetch })('gpt-5')), tools: [bash] }).send(
      'Hi.',
    )
    expect(other.bodies[0]?.tools).toMatchObject([{ type: 'function', name: 'bash', description: 'Runs.' }])
  })
})
