import { Validator } from '@seriousme/openapi-schema-validator'
import { tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { callsAdd } from './adding.ts'
import { serve } from './serve.ts'
import { isOver } from './socket-client.ts'

test('each kind of event has the fields of the contract', async () => {
  const usage = { inputTokens: 3, outputTokens: 2, cost: 0.5 }
  const slow = tool({
    name: 'add',
    run: ({ a, b }, ctx) => {
      ctx.emit({ type: 'tool.progress', callId: ctx.call.id, done: 1 })
      return Number(a) + Number(b)
    },
  })
  const fails = tool({
    name: 'fails',
    run: () => {
      throw new Error('no')
    },
  })
  const calls = [...callsAdd.calls, { name: 'fails', args: {} }]
  const store = memoryStore()
  const server = await serve(
    {
      model: scriptedModel([
        { ...callsAdd, calls, usage },
        { text: 'Five.', usage },
      ]),
      tools: [slow, fails],
      use: [approval()],
      store,
    },
    { store },
  )
  const conversationId = await server.newConversation()
  const client = await server.follow(conversationId)
  const { turnId } = await client.ask({ type: 'send', conversationId, text: 'add' })
  const first = await client.until(({ type }) => type === 'request.opened')
  await client.ask({ type: 'interject', turnId, text: 'and' })
  await client.ask({ type: 'answer', requestId: first.requestId, decision: 'allow' })
  const second = await client.until(frame => frame.type === 'request.opened' && frame.requestId !== first.requestId)
  await client.ask({ type: 'answer', requestId: second.requestId, decision: 'allow' })
  await client.until(isOver)
  await server.call('PATCH', `/api/conversations/${conversationId}`, { title: 'Sums' })
  await server.call('PATCH', `/api/conversations/${conversationId}`, {
    head: client.frames.find(({ type }) => type === 'message.added').messageId,
  })
  await server.call('PATCH', '/api/middleware/approval', { enabled: false })
  await client.until(({ type }) => type === 'middleware.changed')
  const fields: Record<string, readonly string[]> = {
    'turn.started': ['turnId', 'parentId'],
    'message.started': ['messageId', 'parentId', 'role', 'turnId'],
    'message.delta': ['messageId', 'text', 'offset', 'turnId'],
    'message.added': ['messageId', 'parentId', 'role', 'message', 'turnId'],
    'tool.pending': ['callId', 'name', 'args', 'turnId'],
    'tool.executing': ['callId', 'name', 'args', 'turnId'],
    'tool.progress': ['callId', 'turnId'],
    'tool.completed': ['callId', 'name', 'status', 'result', 'durationMs', 'turnId'],
    'tool.failed': ['callId', 'name', 'status', 'result', 'durationMs', 'turnId'],
    'request.opened': ['requestId', 'kind', 'payload', 'deadline', 'turnId'],
    'request.answered': ['requestId', 'kind', 'decision', 'turnId'],
    'interjection.queued': ['text', 'turnId'],
    'interjection.applied': ['text', 'messageId', 'turnId'],
    'head.moved': ['from', 'to'],
    'title.changed': ['to'],
    'middleware.changed': ['name', 'enabled'],
    usage: ['messageId', 'inputTokens', 'outputTokens', 'cost', 'total', 'turnId'],
    'turn.completed': ['outcome', 'reason', 'by', 'text', 'usage', 'turnId'],
  }
  const events = client.frames.filter(({ type }) => type !== 'reply')
  expect([...new Set(events.map(({ type }) => type))].sort()).toEqual(Object.keys(fields).sort())
  for (const event of events) {
    expect(event).toMatchObject({ conversationId, at: expect.any(Number) })
    for (const field of fields[event.type] ?? []) expect(event, event.type).toHaveProperty(field)
    expect('seq' in event).toBe(event.type !== 'message.delta')
  }
  const numbered = client.events.map(({ seq }) => seq)
  expect(numbered).toEqual(numbered.map((_, i) => i + 1))
})

test('the OpenAPI document is valid and has every call of the contract with its bodies and errors', async () => {
  const server = await serve({ model: scriptedModel([]) })
  const { body } = await server.call('GET', '/api/openapi.json')
  const { valid, errors } = await new Validator().validate(body)
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  const has = (method: string, path: string, ...statuses: number[]) =>
    expect(Object.keys(body.paths[path][method].responses).map(Number), path).toEqual(expect.arrayContaining(statuses))
  has('post', '/api/conversations', 201, 400, 401, 403, 413)
  has('get', '/api/conversations', 200, 400, 401, 403)
  has('get', '/api/conversations/{id}', 200, 401, 403, 404)
  has('patch', '/api/conversations/{id}', 200, 400, 404)
  has('delete', '/api/conversations/{id}', 204, 404)
  has('post', '/api/conversations/{id}/turns', 202, 400, 404, 409, 413, 422)
  has('delete', '/api/conversations/{id}/messages/{messageId}', 204, 404, 409)
  has('get', '/api/search', 200, 400)
  has('post', '/api/turns/{id}/interrupt', 202, 404, 409)
  has('post', '/api/turns/{id}/interject', 202, 400, 404, 409)
  has('get', '/api/turns/{id}/explain', 200, 404)
  has('get', '/api/turns/{id}/trace', 200, 404)
  has('post', '/api/requests/{id}/answer', 200, 403, 404, 409, 410, 422)
  has('get', '/api/middleware', 200)
  has('patch', '/api/middleware/{name}', 200, 400, 404)
  has('get', '/api/permissions', 200)
  has('delete', '/api/permissions/{id}', 204, 404)
  has('get', '/api/conversations/{id}/events', 200, 400, 404)
  has('post', '/ag-ui', 200, 400, 404, 409, 410)
  has('get', '/healthz', 200)
  for (const path of ['/api/conversations', '/api/conversations/{id}/turns'])
    expect(body.paths[path].post.parameters).toContainEqual(
      expect.objectContaining({ in: 'header', name: 'Idempotency-Key' }),
    )
})
