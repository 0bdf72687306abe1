import { Chat } from '@ai-sdk/react'
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  readUIMessageStream,
  type UIMessage,
  validateUIMessages,
} from 'ai'
import { type Chunk, createAgent, middleware, type Turn, tool } from 'turnbuckle'
import { fromUIMessage, toUIMessageStreamResponse, toUIMessages } from 'turnbuckle/ai-sdk'
import { approval, clarify, retry } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const add = tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })
const callsAdd = { text: 'Let me see.', calls: [{ name: 'add', args: { a: 2, b: 3 } }] }

/** A chat of `@ai-sdk/react` in front of a route of one's own. */
function chatOn(route: (body: { messages: UIMessage[] }) => Response, init = {}): Chat<UIMessage> {
  const transport = new DefaultChatTransport({
    fetch: async (_url, request) => route(JSON.parse(String(request?.body))),
  })
  return new Chat({ transport, ...init })
}
const partsOf = (chat: Chat<UIMessage>) => chat.lastMessage?.parts.filter(({ type }) => type !== 'step-start') ?? []

async function read(turn: Turn) {
  const transport = new DefaultChatTransport({ fetch: async () => toUIMessageStreamResponse(turn) })
  const asked = { chatId: 'c', messages: [], messageId: undefined, abortSignal: undefined }
  const stream = await transport.sendMessages({ trigger: 'submit-message', ...asked })
  const states: UIMessage[] = []
  let error: unknown
  for await (const message of readUIMessageStream({ stream, onError: given => (error = given) })) states.push(message)
  return { states, last: states.at(-1), error }
}

test('reasoning, text, a tool, a source and a file are parts of one message under the id of the turn', async () => {
  const chunks: Chunk[] = [
    { type: 'text', text: 'Five.' },
    { type: 'source', url: 'https://example.org/', title: 'Sums' },
    { type: 'file', mediaType: 'image/png', data: 'iVBORw0K' },
    { type: 'finish', reason: 'stop' },
  ]
  const agent = createAgent({ model: scriptedModel([{ reasoning: 'Hm.', ...callsAdd }, { chunks }]), tools: [add] })
  const conversation = agent.conversation()
  const turn = conversation.send('2 + 3?')
  const { last } = await read(turn)
  expect(last).toMatchObject({
    id: turn.id,
    role: 'assistant',
    metadata: { outcome: 'completed', reason: 'done' },
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm.', state: 'done' },
      { type: 'text', text: 'Let me see.', state: 'done' },
      { type: 'tool-add', state: 'output-available', input: { a: 2, b: 3 }, output: 5 },
      { type: 'step-start' },
      { type: 'text', text: 'Five.' },
      { type: 'source-url', url: 'https://example.org/', title: 'Sums' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0K' },
    ],
  })
  const again = await validateUIMessages<UIMessage>({ messages: toUIMessages(conversation) })
  expect(again.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(again[1]).toMatchObject({
    id: turn.id,
    parts: last?.parts.map(part => {
      const { state: _state, providerMetadata: _meta, id: _id, ...shown } = part as Record<string, unknown>
      return JSON.parse(JSON.stringify(shown))
    }),
  })
})

test('the text of an attempt that was given up is taken back', async () => {
  const model = scriptedModel([
    { text: 'Half of an ans', error: Object.assign(new Error('gone'), { status: 503 }) },
    'An answer.',
  ])
  const { states, last } = await read(createAgent({ model, use: [retry({ times: 1, baseMs: 0 })] }).send('Hi.'))
  expect(states.some(({ parts }) => parts.some(part => part.type === 'text' && part.text === 'Half of an ans'))).toBe(
    true,
  )
  expect(last?.parts).toMatchObject([{ type: 'step-start' }, { type: 'text', text: 'An answer.' }])
})

test('a reply that a hook changes as it is recorded is shown as it is recorded', async () => {
  const shouting = middleware({
    name: 'shouting',
    beforeAppend: ctx => {
      if (ctx.message.role === 'assistant') ctx.message = { ...ctx.message, content: [{ type: 'text', text: 'HI.' }] }
    },
  })
  const { last } = await read(createAgent({ model: scriptedModel(['Hi.']), use: [shouting] }).send('Hi.'))
  expect(last?.parts).toMatchObject([{ type: 'step-start' }, { type: 'text', text: 'HI.' }])
})

test('a call is shown while it is written, and gone where it is never made', async () => {
  const calling = (text: string): Chunk => ({ type: 'calling', id: 'c', name: 'add', text })
  const model = scriptedModel([
    { chunks: [calling('{"a":'), calling(' 2}'), { type: 'text', text: 'No.' }, { type: 'finish', reason: 'stop' }] },
  ])
  const { states, last } = await read(createAgent({ model, tools: [add] }).send('Hi.'))
  const inputs = states.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'tool-add' ? [(part as { input?: unknown }).input] : [])),
  )
  expect(inputs).toContainEqual({ a: 2 })
  expect(last?.parts).toMatchObject([{ type: 'step-start' }, { type: 'text', text: 'No.' }])
})

test('an error of the turn is one of the chat; an interrupt leaves what was said', async () => {
  const failing = createAgent({ model: scriptedModel([{ text: 'Wel', error: new Error('no more') }]) })
  const chat = chatOn(() => toUIMessageStreamResponse(failing.send('Hi.')))
  await chat.sendMessage({ text: 'Hi.' })
  expect([chat.status, chat.error?.message]).toEqual(['error', 'no more'])
  const turn: Turn = createAgent({
    model: scriptedModel([callsAdd]),
    tools: [tool({ name: 'add', run: () => new Promise<never>(() => turn.interrupt()) })],
  }).send('Hi.')
  expect((await read(turn)).last?.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'text', text: 'Let me see.' },
    { type: 'tool-add', state: 'output-error' },
  ])
})

test('an event of one’s own and a question that is no approval are data parts', async () => {
  const noting = middleware({ name: 'noting', beforeModel: ctx => ctx.emit({ type: 'search.done', hits: 3 }) })
  const asks = { calls: [{ name: 'ask_person', args: { question: 'Which?' } }] }
  const agent = createAgent({ model: scriptedModel([asks, 'Red.']), use: [noting, clarify()] })
  const turn = agent.send('Hi.')
  const answering = (async () => {
    for await (const event of turn) if (event.type === 'request.opened') turn.answer(event.requestId, 'Red')
  })()
  const { last } = await read(turn)
  await answering
  expect(last?.parts).toContainEqual({ type: 'data-search.done', data: { hits: 3 } })
  expect(last?.parts.find(({ type }) => type === 'data-request')).toMatchObject({
    data: { kind: 'clarification', payload: { question: 'Which?' }, decision: 'Red' },
  })
})

test.each([
  { approved: true, states: ['output-available', 'output-available'], text: 'Done.' },
  { approved: false, states: ['output-denied', 'output-denied'], text: 'Done.' },
])(
  'two calls of one step are asked for one after the other: approved $approved',
  async ({ approved, states, text }) => {
    const calls = [1, 2].map(b => ({ name: 'add', args: { a: 1, b } }))
    const agent = createAgent({
      model: scriptedModel([{ text: 'Both.', calls }, 'Done.']),
      tools: [add],
      use: [approval()],
    })
    let turn: Turn | undefined
    let requests = 0
    const chat = chatOn(
      ({ messages }) => {
        requests++
        turn ??= agent.send(fromUIMessage(messages.at(-1) ?? { parts: [] }))
        return toUIMessageStreamResponse(turn, { messages })
      },
      { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses },
    )
    await chat.sendMessage({ text: 'Add.' })
    for (const asked of [1, 2]) {
      const open = partsOf(chat).flatMap(part =>
        'approval' in part && part.state === 'approval-requested' ? [part.approval.id] : [],
      )
      expect(open, `question ${asked}`).toHaveLength(1)
      await chat.addToolApprovalResponse({ id: open[0] ?? '', approved })
      await expect.poll(() => [requests, chat.status]).toEqual([asked + 1, 'ready'])
    }
    expect(chat.messages).toHaveLength(2)
    expect(partsOf(chat)).toMatchObject([
      { type: 'text', text: 'Both.' },
      ...states.map(state => ({ type: 'tool-add', state, approval: { approved } })),
      { type: 'text', text },
    ])
  },
)

test('a person’s text and files become a message; what a person says meanwhile stands in the answer', async () => {
  const file = {
    type: 'file',
    mediaType: 'image/png',
    url: 'data:image/png;base64,iVBORw0K',
    filename: 'a.png',
  } as const
  expect(fromUIMessage({ parts: [file, { type: 'text', text: 'Look.' }, { type: 'data-x', data: 1 }] })).toEqual({
    role: 'user',
    content: [
      { type: 'file', mediaType: 'image/png', data: 'iVBORw0K', name: 'a.png' },
      { type: 'text', text: 'Look.' },
    ],
  })
  const turn: Turn = createAgent({
    model: scriptedModel([callsAdd, 'Six.']),
    tools: [tool({ name: 'add', run: () => turn.interject('And one.') })],
  }).send('Hi.')
  expect((await read(turn)).last?.parts).toContainEqual(
    expect.objectContaining({ type: 'steering-message', parts: [{ type: 'text', text: 'And one.' }] }),
  )
})
