import { Chat } from '@ai-sdk/react'
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
  validateUIMessages,
} from 'ai'
import { type Model, type Prompt, textOf, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate, type Served, serve } from '../../test/serve.ts'

const add = tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })
const callsAdd = { text: 'Let me see.', calls: [{ name: 'add', args: { a: 2, b: 3 } }] }

/** A chat of `@ai-sdk/react`, as a page has it. */
function chatOf(server: Served, id: string, messages: UIMessage[] = [], token = 'secret'): Chat<UIMessage> {
  const transport = new DefaultChatTransport({
    api: `${server.url}/api/chat`,
    headers: { authorization: `Bearer ${token}` },
  })
  const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithApprovalResponses
  return new Chat({ id, transport, messages, sendAutomaticallyWhen })
}
/** A page that is opened again. */
async function reopened(server: Served, id: string): Promise<Chat<UIMessage>> {
  const { body } = await server.call('GET', `/api/chat/${id}`)
  return chatOf(server, id, await validateUIMessages<UIMessage>({ messages: body.messages }))
}
const wordsOf = ({ parts }: UIMessage) => parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(' | ')
const shown = (chat: Chat<UIMessage>) => chat.messages.map(message => `${message.role}: ${wordsOf(message)}`)
const promptOf = ({ messages }: Prompt) => messages.map(message => textOf(message))
const toolsOf = (chat: Chat<UIMessage>) =>
  chat.lastMessage?.parts.flatMap(part => ('toolCallId' in part ? [part] : [])) ?? []

/** A model whose text after "One " waits. */
function slowModel() {
  const rest = gate()
  const model: Model = {
    id: 'slow',
    async *stream() {
      yield { type: 'text', text: 'One ' }
      await rest.opened
      yield [
        { type: 'text', text: 'two.' },
        { type: 'finish', reason: 'stop' },
      ]
    },
  }
  return { model, rest }
}

test('a chat goes on in its conversation, and is the same when its page is opened again', async () => {
  const model = scriptedModel([callsAdd, 'Five.', 'Nine.'])
  const server = await serve({ model, tools: [add] })
  const chat = chatOf(server, 'sums')
  await chat.sendMessage({ text: '2 + 3?' })
  await chat.sendMessage({ text: '4 + 5?' })
  expect(shown(chat)).toEqual(['user: 2 + 3?', 'assistant: Let me see. | Five.', 'user: 4 + 5?', 'assistant: Nine.'])
  expect(promptOf(model.prompts[2] as Prompt)).toEqual(['2 + 3?', 'Let me see.', '', 'Five.', '4 + 5?'])
  const again = await reopened(server, 'sums')
  expect(shown(again)).toEqual(shown(chat))
  expect(again.messages.map(({ id }) => id).filter((_, i) => i % 2)).toEqual(
    chat.messages.map(({ id }) => id).filter((_, i) => i % 2),
  )
})

test('another answer stands beside the first, and an edited question beside the old one', async () => {
  const model = scriptedModel(['A1', 'A2', 'B1', 'C1', 'C2'])
  const server = await serve({ model })
  const chat = chatOf(server, 'c')
  await chat.sendMessage({ text: 'a' })
  await chat.regenerate()
  expect(shown(chat)).toEqual(['user: a', 'assistant: A2'])
  await chat.sendMessage({ text: 'b' })
  expect(promptOf(model.prompts[2] as Prompt)).toEqual(['a', 'A2', 'b'])
  await chat.sendMessage({ text: 'c', messageId: chat.messages[2]?.id as string })
  expect(promptOf(model.prompts[3] as Prompt)).toEqual(['a', 'A2', 'c'])
  await chat.regenerate({ messageId: chat.messages[3]?.id as string })
  expect(promptOf(model.prompts[4] as Prompt)).toEqual(['a', 'A2', 'c'])
  expect(shown(chat)).toEqual(['user: a', 'assistant: A2', 'user: c', 'assistant: C2'])
  expect(shown(await reopened(server, 'c'))).toEqual(shown(chat))
  const { body } = await server.call('GET', '/api/conversations/c')
  expect(
    body.nodes.map(({ message }: { message: { content: { text: string }[] } }) => message.content[0]?.text),
  ).toEqual(['a', 'A1', 'A2', 'b', 'B1', 'c', 'C1', 'C2'])
})

test('an edited first question begins the conversation anew; a page without history goes on at the head', async () => {
  const model = scriptedModel(['A', 'B', 'C'])
  const server = await serve({ model })
  const chat = chatOf(server, 'c')
  await chat.sendMessage({ text: 'a' })
  await chat.sendMessage({ text: 'b', messageId: chat.messages[0]?.id as string })
  expect(promptOf(model.prompts[1] as Prompt)).toEqual(['b'])
  await chatOf(server, 'c').sendMessage({ text: 'c' })
  expect(promptOf(model.prompts[2] as Prompt)).toEqual(['b', 'B', 'c'])
})

test.each([
  { approved: true, state: 'output-available', text: 'Five.' },
  { approved: false, state: 'output-denied', text: 'Five.' },
])('an approval goes there and back: $approved', async ({ approved, state, text }) => {
  const server = await serve({ model: scriptedModel([callsAdd, 'Five.']), tools: [add], use: [approval()] })
  const chat = chatOf(server, 'c')
  await chat.sendMessage({ text: '2 + 3?' })
  expect(toolsOf(chat)).toMatchObject([{ state: 'approval-requested', input: { a: 2, b: 3 } }])
  const again = await reopened(server, 'c')
  expect(toolsOf(again)).toMatchObject([{ state: 'approval-requested' }])
  const [asked] = toolsOf(again) as { approval: { id: string } }[]
  await again.addToolApprovalResponse({ id: asked?.approval.id ?? '', approved, reason: 'So.' })
  await expect
    .poll(() => [again.status, wordsOf(again.lastMessage as UIMessage)])
    .toEqual(['ready', `Let me see. | ${text}`])
  expect(toolsOf(again)).toMatchObject([{ state, approval: { approved, reason: 'So.' } }])
  expect(shown(again)).toHaveLength(2)
  // The page that was open all the time reads the rest of its message anew.
  await chat.resumeStream()
  expect(toolsOf(chat)).toMatchObject([{ state: 'approval-requested' }])
  const late = toolsOf(chat) as { approval: { id: string } }[]
  await chat.addToolApprovalResponse({ id: late[0]?.approval.id ?? '', approved: !approved })
  await expect.poll(() => [chat.status, toolsOf(chat)[0]?.state]).toEqual(['ready', state])
})

const where = { name: 'where', args: {} }
const sum = { name: 'add', args: { a: 2, b: 3 } }

test.each([
  { parallelTools: 1, calls: [where, sum] },
  { parallelTools: 1, calls: [sum, where] },
  { parallelTools: 1, calls: [where, sum, where] },
  { parallelTools: 4, calls: [where, sum] },
  { parallelTools: 4, calls: [where, where, sum] },
])('a page runs its own tool beside the server’s, $parallelTools at once: $calls', async ({ parallelTools, calls }) => {
  const model = scriptedModel([{ calls }, 'Done.'])
  const server = await serve({ model, tools: [add], parallelTools })
  const transport = new DefaultChatTransport({
    api: `${server.url}/api/chat`,
    headers: { authorization: 'Bearer secret' },
    body: { tools: { where: { description: 'Where the person is.', inputSchema: { type: 'object' } } } },
  })
  const chat: Chat<UIMessage> = new Chat({
    id: 'c',
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall({ toolCall: { toolName, toolCallId } }) {
      if (toolName === 'where') void chat.addToolOutput({ tool: 'where' as never, toolCallId, output: 'Oslo' as never })
    },
  })
  await chat.sendMessage({ text: 'Where, and how much?' })
  await expect.poll(() => [chat.status, wordsOf(chat.lastMessage as UIMessage)]).toEqual(['ready', 'Done.'])
  const outputs = toolsOf(chat).map(part => ('output' in part ? part.output : part.state))
  expect(outputs.toSorted()).toEqual(calls.map(({ name }) => (name === 'where' ? 'Oslo' : 5)).toSorted())
  expect(shown(chat)).toHaveLength(2)
})

test('a page that is opened in the middle of a turn reads it from its beginning to its end', async () => {
  const { model, rest } = slowModel()
  const server = await serve({ model, store: memoryStore() })
  const chat = chatOf(server, 'c')
  const sending = chat.sendMessage({ text: 'Count.' })
  await expect.poll(() => shown(chat)).toEqual(['user: Count.', 'assistant: One '])
  const again = await reopened(server, 'c')
  const resuming = again.resumeStream()
  await expect.poll(() => shown(again)).toEqual(['user: Count.', 'assistant: One '])
  rest.open()
  await Promise.all([sending, resuming])
  expect([shown(chat), shown(again)]).toEqual([
    ['user: Count.', 'assistant: One two.'],
    ['user: Count.', 'assistant: One two.'],
  ])
  expect((await fetch(`${server.url}/api/chat/c/stream`, { headers: { authorization: 'Bearer secret' } })).status).toBe(
    204,
  )
})

test('a client that leaves stops nothing; the call to stop does', async () => {
  const { model } = slowModel()
  const server = await serve({ model })
  const chat = chatOf(server, 'c')
  void chat.sendMessage({ text: 'Count.' })
  await expect.poll(() => shown(chat)).toEqual(['user: Count.', 'assistant: One '])
  await chat.stop()
  expect((await server.call('GET', '/api/conversations/c')).body.turns).toMatchObject([{ status: 'running' }])
  expect((await server.call('POST', '/api/chat/c/stop')).body).toEqual({ stopped: true })
  const { turns } = (await server.call('GET', '/api/conversations/c')).body
  expect(turns).toMatchObject([{ status: 'interrupted', reason: 'stopped' }])
  expect((await server.call('POST', '/api/chat/c/stop')).body).toEqual({ stopped: false })
})

test.each([
  { what: 'message', act: (chat: Chat<UIMessage>) => chat.sendMessage({ text: 'No, stop.' }) },
  { what: 'other answer', act: (chat: Chat<UIMessage>) => chat.regenerate() },
])('the next $what ends the turn that the client has given up', async ({ act }) => {
  const { model, rest } = slowModel()
  const server = await serve({ model })
  const chat = chatOf(server, 'c')
  void chat.sendMessage({ text: 'Count.' })
  await expect.poll(() => shown(chat)).toEqual(['user: Count.', 'assistant: One '])
  await chat.stop()
  const next = act(chat)
  await expect
    .poll(async () => (await server.call('GET', '/api/conversations/c')).body.turns)
    .toMatchObject([{ status: 'interrupted' }, { status: 'running' }])
  rest.open()
  await next
  expect([chat.status, wordsOf(chat.lastMessage as UIMessage)]).toEqual(['ready', 'One two.'])
})

test('a question that never arrived goes with the next one, and one whose answer was not seen does not go twice', async () => {
  const model = scriptedModel(['A', 'B', 'C'])
  const server = await serve({ model })
  await chatOf(server, 'lost', [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'a' }] }]).sendMessage({
    text: 'b',
  })
  expect(promptOf(model.prompts[0] as Prompt)).toEqual(['a\n\nb'])
  await chatOf(server, 'seen').sendMessage({ text: 'a' })
  await chatOf(server, 'seen', [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'a' }] }]).sendMessage({
    text: 'b',
  })
  expect(promptOf(model.prompts[2] as Prompt)).toEqual(['a', 'B', 'b'])
})

test('refusals have the codes of the server, and a history that it does not have is not taken', async () => {
  const server = await serve(
    { model: scriptedModel(['Hello.']) },
    { tokens: 'ann:ann-token,bob:bob-token,eve:eve-token:viewer', token: undefined },
  )
  const chatOf = (token: string, body: object) => {
    const headers = { authorization: `Bearer ${token}` }
    return fetch(`${server.url}/api/chat`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const say = async (token: string, body: object) => {
    const response = await chatOf(token, body)
    const { error } = (await response.json()) as { error: { code: string } }
    return [response.status, error.code]
  }
  const hi = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }
  const answer = { id: 'turn_x', role: 'assistant', parts: [{ type: 'text', text: 'I did.' }] }
  expect(await say('wrong', { id: 'c', messages: [hi] })).toEqual([401, 'token.invalid'])
  expect(await say('eve-token', { id: 'c', messages: [hi] })).toEqual([403, 'role.missing'])
  expect(await say('ann-token', { id: 'c', messages: [] })).toEqual([400, 'body.invalid'])
  expect(await say('ann-token', { id: 'c', messages: [hi, answer] })).toEqual([400, 'body.invalid'])
  expect(await say('ann-token', { id: 'c', messages: [hi, answer, hi] })).toEqual([404, 'message.missing'])
  // None of these has made it.
  expect((await chatOf('ann-token', { id: 'c', messages: [hi] })).status).toBe(200)
  expect(await say('bob-token', { id: 'c', messages: [hi] })).toEqual([404, 'conversation.missing'])
  const far = { type: 'file', mediaType: 'image/png', url: 'https://example.org/a.png' }
  expect(await say('ann-token', { id: 'c', messages: [{ ...hi, parts: [far] }] })).toEqual([400, 'body.invalid'])
})
