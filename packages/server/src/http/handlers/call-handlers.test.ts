import { block, middleware } from 'turnbuckle'
import { approval, trim } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { add, asks, settled, waiting } from '../../../test/asking.ts'
import { gate, type Served, serve } from '../../../test/serve.ts'
import { isOver } from '../../../test/socket-client.ts'

let server: Served

test('a conversation is made, talked to, renamed, listed, searched, exported and deleted', async () => {
  server = await serve({ model: scriptedModel(['Hello Ada.']) })
  const made = await server.call('POST', '/api/conversations', {})
  expect(made.status).toBe(201)
  expect(made.body).toEqual({ id: expect.any(String), head: null })
  const { id } = made.body
  const started = await server.call('POST', `/api/conversations/${id}/turns`, { text: 'I am Ada' })
  expect(started).toMatchObject({ status: 202, body: { turnId: expect.any(String), seq: 1 } })
  expect(await settled(server, id, started.body.turnId)).toMatchObject({ status: 'completed', reason: 'done' })
  const { body } = await server.call('GET', `/api/conversations/${id}`)
  expect(body.nodes.map((node: { message: { role: string } }) => node.message.role)).toEqual(['user', 'assistant'])
  expect(body.nodes[0]).toMatchObject({ parentId: null, turnId: started.body.turnId })
  expect(body).toMatchObject({ title: 'I am Ada', head: body.nodes[1].id, requests: [] })
  expect((await server.call('PATCH', `/api/conversations/${id}`, { title: 'Ada' })).body.title).toBe('Ada')
  expect((await server.call('GET', '/api/conversations')).body.conversations).toMatchObject([{ id, title: 'Ada' }])
  expect((await server.call('GET', '/api/search?q=hello')).body.results).toMatchObject([
    { conversationId: id, messageId: body.nodes[1].id, excerpt: 'Hello Ada.' },
  ])
  expect((await server.call('GET', `/api/conversations/${id}/export`)).body.nodes).toHaveLength(2)
  expect((await server.call('DELETE', `/api/conversations/${id}`)).status).toBe(204)
  expect((await server.call('GET', `/api/conversations/${id}`)).status).toBe(404)
})

test('an attachment is part of the message; text is not needed beside it', async () => {
  server = await serve({ model: scriptedModel(['A picture.']) })
  const id = await server.newConversation()
  const attachments = [{ mediaType: 'image/png', data: 'aGk=', name: 'a.png' }]
  expect((await server.call('POST', `/api/conversations/${id}/turns`, { text: '', attachments })).status).toBe(202)
  const client = await server.follow(id)
  await client.until(isOver)
  const { nodes } = (await server.call('GET', `/api/conversations/${id}`)).body
  expect(nodes[0].message.content).toEqual([{ type: 'file', ...attachments[0] }])
})

test('pages follow each other by the last id, newest first', async () => {
  server = await serve({ model: scriptedModel([]) })
  for (let i = 0; i < 7; i++) await server.newConversation()
  const all = (await server.call('GET', '/api/conversations')).body.conversations
  const paged = []
  for (let before: string | undefined, page = [undefined] as { id: string }[] | undefined[]; page.length; ) {
    page = (await server.call('GET', `/api/conversations?limit=3${before ? `&before=${before}` : ''}`)).body
      .conversations
    paged.push(...page)
    before = page.at(-1)?.id
  }
  expect(paged).toEqual(all)
  const times = all.map(({ updatedAt }: { updatedAt: number }) => updatedAt)
  expect(times).toEqual(times.toSorted((a: number, b: number) => b - a))
})

test('the same idempotency key makes one turn; with another body it is refused', async () => {
  server = await serve({ model: scriptedModel(['one', 'two']) })
  const id = await server.newConversation()
  const send = (text: string) =>
    server.call('POST', `/api/conversations/${id}/turns`, { text }, { 'idempotency-key': 'k' })
  const [a, b] = await Promise.all([send('hi'), send('hi')])
  expect(a.body).toEqual(b.body)
  expect(await send('other')).toMatchObject({ status: 422, body: { error: { code: 'idempotency.mismatch' } } })
  await settled(server, id, a.body.turnId)
  expect((await server.call('GET', `/api/conversations/${id}`)).body.turns).toHaveLength(1)
})

test('another parent makes a branch; a running tip is refused; the head moves on request', async () => {
  const held = gate()
  const model = scriptedModel(['first', 'second', () => held.opened.then(() => 'third')])
  server = await serve({ model })
  const id = await server.newConversation()
  const turns = `/api/conversations/${id}/turns`
  const one = (await server.call('POST', turns, { text: 'a' })).body.turnId
  await settled(server, id, one)
  const [user, reply] = (await server.call('GET', `/api/conversations/${id}`)).body.nodes
  await settled(server, id, (await server.call('POST', turns, { text: 'a again', parentId: null })).body.turnId)
  const view = (await server.call('GET', `/api/conversations/${id}`)).body
  expect(view.nodes.filter((node: { parentId: null }) => node.parentId === null)).toHaveLength(2)
  expect((await server.call('PATCH', `/api/conversations/${id}`, { head: reply.id })).body.head).toBe(reply.id)
  const running = await server.call('POST', turns, { text: 'b' })
  expect(running.status).toBe(202)
  expect(await server.call('POST', turns, { text: 'c' })).toMatchObject({
    status: 409,
    body: { error: { code: 'turn.running' } },
  })
  expect((await server.call('POST', turns, { text: 'x', parentId: 'nowhere' })).status).toBe(404)
  held.open()
  await settled(server, id, running.body.turnId)
  expect((await server.call('DELETE', `/api/conversations/${id}/messages/${user.id}`)).status).toBe(204)
  const left = (await server.call('GET', `/api/conversations/${id}`)).body
  expect(left.nodes).toHaveLength(2)
  expect((await server.call('DELETE', `/api/conversations/${id}/messages/nowhere`)).status).toBe(404)
})

test('another answer stands beside the first, and a turn goes on without a message: no input hook fires', async () => {
  const inputs: string[] = []
  const sees = middleware({ name: 'sees', beforeInput: ({ message }) => void inputs.push(message.id) })
  server = await serve({ model: scriptedModel(['One.', 'Two.', 'Three.']), use: [sees] })
  const id = await server.newConversation()
  const start = (body: object, key = {}) => server.call('POST', `/api/conversations/${id}/turns`, body, key)
  expect((await start({ continue: true })).body.error.code).toBe('message.empty')
  await settled(server, id, (await start({ text: 'ask' })).body.turnId)
  const view = async () => (await server.call('GET', `/api/conversations/${id}`)).body
  const [question, first] = (await view()).nodes
  const key = { 'idempotency-key': 'k' }
  const { turnId } = (await start({ regenerate: first.id }, key)).body
  expect((await start({ regenerate: first.id }, key)).body.turnId).toBe(turnId)
  expect((await settled(server, id, turnId)).status).toBe('completed')
  const { nodes, head } = await view()
  expect(nodes.map(({ parentId }: { parentId: string }) => parentId)).toEqual([null, question.id, question.id])
  expect(head).toBe(nodes[2].id)
  await settled(server, id, (await start({ continue: true })).body.turnId)
  const last = (await view()).nodes.at(-1)
  expect([last.parentId, last.message.role, last.message.content[0].text]).toEqual([head, 'assistant', 'Three.'])
  expect(inputs).toHaveLength(1)
  expect((await start({ regenerate: 'none' })).body.error.code).toBe('message.missing')
})

test('interrupt and interject reach a running turn, and are refused once it is over', async () => {
  const held = gate()
  server = await serve({ model: scriptedModel([() => held.opened.then(() => 'late')]) })
  const id = await server.newConversation()
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'go' })).body
  expect((await server.call('POST', `/api/turns/${turnId}/interject`, { text: 'also' })).status).toBe(202)
  expect((await server.call('POST', `/api/turns/${turnId}/interject`, { text: ' ' })).status).toBe(400)
  expect((await server.call('POST', `/api/turns/${turnId}/interrupt`)).status).toBe(202)
  expect(await settled(server, id, turnId)).toMatchObject({ status: 'interrupted' })
  for (const what of ['interrupt', 'interject'])
    expect(await server.call('POST', `/api/turns/${turnId}/${what}`, { text: 'x' })).toMatchObject({
      status: 409,
      body: { error: { code: 'turn.ended' } },
    })
  expect((await server.call('POST', '/api/turns/none/interrupt')).status).toBe(404)
  held.open()
})

test('a request is answered once: invalid 422, then 200, then 409 with the decision', async () => {
  server = await serve({
    model: scriptedModel([{ calls: [{ name: 'add', args: { a: 1, b: 2 } }] }, 'three']),
    tools: [add],
    use: [asks],
  })
  const id = await server.newConversation()
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })).body
  const request = await waiting(server, id)
  expect(request).toMatchObject({ kind: 'permission', payload: { name: 'add' }, turnId })
  const answer = (body: unknown) => server.call('POST', `/api/requests/${request.id}/answer`, body)
  expect(await answer({ decision: 'perhaps' })).toMatchObject({
    status: 422,
    body: { error: { code: 'request.invalid' } },
  })
  expect((await answer({ decision: 'allow', scope: 'once' })).status).toBe(200)
  expect(await answer({ decision: 'deny' })).toMatchObject({
    status: 409,
    body: { error: { code: 'request.answered' }, decision: { decision: 'allow', scope: 'once' } },
  })
  expect(await settled(server, id, turnId)).toMatchObject({ status: 'completed' })
  expect((await server.call('POST', '/api/requests/none/answer', {})).status).toBe(404)
})

test('a request whose turn was interrupted is gone: 410', async () => {
  server = await serve({
    model: scriptedModel([{ calls: [{ name: 'add', args: { a: 1, b: 2 } }] }]),
    tools: [add],
    use: [asks],
  })
  const id = await server.newConversation()
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })).body
  const request = await waiting(server, id)
  await server.call('POST', `/api/turns/${turnId}/interrupt`)
  expect(await server.call('POST', `/api/requests/${request.id}/answer`, { decision: 'allow' })).toMatchObject({
    status: 410,
    body: { error: { code: 'request.expired' } },
  })
})

test('explain lists the directives, trace the stages and hooks with what they changed', async () => {
  const shout = middleware({
    name: 'shout',
    beforeTool(ctx) {
      if (ctx.call.name === 'add') return block('no sums')
    },
    beforeInput(ctx) {
      ctx.message = { ...ctx.message, content: [{ type: 'text', text: 'LOUD' }] }
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'add', args: { a: 1, b: 2 } }] }, 'fine'])
  server = await serve({ model, tools: [add], use: [shout] })
  const id = await server.newConversation()
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'quiet' })).body
  await settled(server, id, turnId)
  const { decisions } = (await server.call('GET', `/api/turns/${turnId}/explain`)).body
  expect(decisions).toMatchObject([{ directive: 'block', by: 'shout', at: 'beforeTool', reason: 'no sums' }])
  const { spans } = (await server.call('GET', `/api/turns/${turnId}/trace`)).body
  expect(
    spans.filter((span: { kind: string }) => span.kind === 'stage').map((span: { stage: string }) => span.stage),
  ).toContain('model')
  const input = spans.find((span: { at?: string }) => span.at === 'beforeInput')
  expect(input.changed[0]).toMatchObject({ what: 'input', after: expect.stringContaining('LOUD') })
  const { middleware: list } = (await server.call('GET', '/api/middleware')).body
  const figures = list.find((info: { name: string }) => info.name === 'shout').hooks
  expect(figures).toContainEqual(
    expect.objectContaining({ at: 'beforeTool', calls: 1, failures: 0, p99: expect.any(Number) }),
  )
})

test('of a prompt the trace tells what differs, and nothing where nothing does', async () => {
  const note = { role: 'user', content: [{ type: 'text', text: 'A note.' }] } as const
  const notes = middleware({
    name: 'notes',
    beforeModel(ctx) {
      ctx.prompt = { ...ctx.prompt, messages: [...ctx.prompt.messages, { id: 'note', ...note }] }
    },
  })
  server = await serve({ model: scriptedModel(['fine']), use: [trim(), notes] })
  const id = await server.newConversation()
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'a long history' })).body
  await settled(server, id, turnId)
  const { spans } = (await server.call('GET', `/api/turns/${turnId}/trace`)).body
  const changes = (name: string) =>
    spans.find(({ by, at }: { by: string; at: string }) => by === name && at === 'beforeModel').changed
  expect(changes('trim')).toBeUndefined()
  const [{ before, after }] = changes('notes')
  expect(JSON.parse(before)).toEqual({ messages: [] })
  expect(JSON.parse(after)).toEqual({ messages: [{ id: 'note', ...note }] })
})

test('people see only their own: others get 404, and a request says whose it is not', async () => {
  server = await serve(
    { model: scriptedModel([{ calls: [{ name: 'add', args: { a: 1, b: 2 } }] }, 'ok']), tools: [add], use: [asks] },
    { token: undefined, tokens: 'alice:a-token,bob:b-token' },
  )
  const bob = { authorization: 'Bearer b-token' }
  const id = await server.newConversation('Alice’s')
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })).body
  const request = await waiting(server, id)
  for (const [method, path] of [
    ['GET', `/api/conversations/${id}`],
    ['PATCH', `/api/conversations/${id}`],
    ['DELETE', `/api/conversations/${id}`],
    ['GET', `/api/conversations/${id}/events`],
    ['POST', `/api/turns/${turnId}/interrupt`],
    ['GET', `/api/turns/${turnId}/explain`],
    ['GET', `/api/turns/${turnId}/trace`],
  ] as const)
    expect(await server.call(method, path, method === 'GET' ? undefined : {}, bob)).toMatchObject({ status: 404 })
  expect((await server.call('GET', '/api/conversations', undefined, bob)).body.conversations).toEqual([])
  expect((await server.call('GET', '/api/search?q=add', undefined, bob)).body.results).toEqual([])
  expect(await server.call('POST', `/api/requests/${request.id}/answer`, { decision: 'allow' }, bob)).toMatchObject({
    status: 403,
    body: { error: { code: 'request.foreign' } },
  })
  await server.call('POST', `/api/turns/${turnId}/interrupt`)
})

const people = { token: undefined, tokens: 'alice:a-token,bob:b-token,carol:c-token' }
const bob = { authorization: 'Bearer b-token' }
const carol = { authorization: 'Bearer c-token' }
const sum = { calls: [{ name: 'add', args: { a: 1, b: 2 } }] }
async function started(): Promise<{ id: string; turnId: string }> {
  const id = await server.newConversation('Sums')
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })).body
  return { id, turnId }
}

test('the votes of a quorum are those of tokens: nobody votes as somebody else, or twice', async () => {
  const use = [approval({ quorum: { needed: 2, of: ['bob', 'carol'] } })]
  server = await serve({ model: scriptedModel([sum, 'ok']), tools: [add], use, store: memoryStore() }, people)
  const { id, turnId } = await started()
  const vote = async (body: object, headers: Record<string, string>) => {
    const request = await waiting(server, id)
    const { status, body: answer } = await server.call('POST', `/api/requests/${request.id}/answer`, body, headers)
    return `${status} ${answer.error?.code ?? ''}`
  }
  expect(await vote({ decision: 'allow', by: 'carol' }, bob)).toBe('422 request.invalid')
  expect(await vote({ decision: 'allow' }, bob)).toBe('200 ')
  const { id: second } = await waiting(server, id)
  expect(await vote({ decision: 'allow' }, bob)).toBe('422 request.invalid')
  expect((await server.call('GET', '/api/requests', undefined, bob)).body).toEqual({ requests: [] })
  expect((await server.call('GET', '/api/requests', undefined, carol)).body).toMatchObject({
    requests: [{ id: second, conversationId: id, owner: 'alice', voted: ['bob'], payload: { name: 'add' } }],
  })
  expect(await vote({ decision: 'allow' }, carol)).toBe('200 ')
  expect(await settled(server, id, turnId)).toMatchObject({ status: 'completed' })
})

test('a question is passed on over HTTP to somebody whom it may go to, and that person answers', async () => {
  const use = [approval({ to: 'bob', delegates: ['carol'] })]
  server = await serve({ model: scriptedModel([sum, 'ok']), tools: [add], use, store: memoryStore() }, people)
  const { id, turnId } = await started()
  const answer = async (body: object, headers: Record<string, string>) =>
    (await server.call('POST', `/api/requests/${(await waiting(server, id)).id}/answer`, body, headers)).status
  expect(await answer({ decision: 'delegate', to: 'mallory' }, bob)).toBe(422)
  expect(await answer({ decision: 'delegate', to: 'carol' }, bob)).toBe(200)
  await waiting(server, id)
  expect((await server.call('GET', '/api/requests', undefined, carol)).body).toMatchObject({
    requests: [{ owner: 'alice', to: ['carol'], payload: { name: 'add', from: 'bob' } }],
  })
  expect(await answer({ decision: 'allow' }, bob)).toBe(403)
  expect(await answer({ decision: 'allow' }, carol)).toBe(200)
  expect(await settled(server, id, turnId)).toMatchObject({ status: 'completed' })
})

test.each([
  { to: 'bob', by: bob, gives: '200 ' },
  { to: 'bob', by: {}, gives: '200 ' },
  { to: 'bob', by: carol, gives: '403 request.foreign' },
])('a question to $to is answered by its owner and by whom it names: $gives', async ({ to, by, gives }) => {
  server = await serve({ model: scriptedModel([sum, 'ok']), tools: [add], use: [approval({ to })] }, people)
  const { id, turnId } = await started()
  const request = await waiting(server, id)
  const answer = () => server.call('POST', `/api/requests/${request.id}/answer`, { decision: 'allow' }, by)
  const { status, body } = await answer()
  expect(`${status} ${body.error?.code ?? ''}`).toBe(gives)
  // A second answer of one who was asked is told what was decided; a stranger is told nothing.
  expect((await answer()).status).toBe(status === 200 ? 409 : 403)
  await server.call('POST', `/api/turns/${turnId}/interrupt`)
})

test.each([
  { decision: 'allow', reason: { a: 1 } },
  { decision: 'allow', by: 'bob' },
  { decision: 'allow', colour: 'red' },
  ['allow'],
])('an answer is checked whole, over HTTP and the socket: %j', async answer => {
  server = await serve({ model: scriptedModel([sum, 'ok']), tools: [add], use: [asks] })
  const { id, turnId } = await started()
  const request = await waiting(server, id)
  expect(await server.call('POST', `/api/requests/${request.id}/answer`, answer)).toMatchObject({
    status: 422,
    body: { error: { code: 'request.invalid' } },
  })
  const socket = await server.join()
  expect(await socket.ask({ type: 'answer', requestId: request.id, answer })).toMatchObject({ ok: false, status: 422 })
  await server.call('POST', `/api/turns/${turnId}/interrupt`)
})

test('a person who is named hears of the question and of its end', async () => {
  server = await serve({ model: scriptedModel([sum, 'ok']), tools: [add], use: [approval({ to: 'bob' })] }, people)
  const socket = await server.join('b-token')
  await socket.ask({ type: 'watch' })
  const { id, turnId } = await started()
  await socket.until(({ type }) => type === 'requests.changed')
  const { requests } = (await server.call('GET', '/api/requests', undefined, bob)).body
  expect(requests).toMatchObject([{ kind: 'permission', owner: 'alice', conversationId: id, to: ['bob'] }])
  await server.call('POST', `/api/requests/${requests[0].id}/answer`, { decision: 'allow' }, bob)
  expect(await settled(server, id, turnId)).toMatchObject({ status: 'completed' })
  expect((await server.call('GET', '/api/requests', undefined, bob)).body).toEqual({ requests: [] })
})

test('the models that a conversation may choose are told, with the agent’s own first', async () => {
  server = await serve({ model: scriptedModel(['Hi.']) })
  expect((await server.call('GET', '/api/models')).body).toEqual({ default: 'scripted', models: [{ id: 'scripted' }] })
})
