import { Validator } from '@seriousme/openapi-schema-validator'
import { type Client, createClient } from 'turnbuckle/client'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { type Call, type CallName, calls } from '../src/http/contract.ts'
import { serve } from './serve.ts'

/** Each call of the contract, as the typed client makes it. One that is missing here is an error of types. */
const asClient: Record<CallName, (client: Client) => Promise<unknown>> = {
  createConversation: client => client.createConversation('Title', 'key'),
  listConversations: client => client.listConversations({ limit: 3, before: 'x' }),
  getConversation: client => client.conversation('x'),
  changeConversation: client => client.changeConversation('x', { title: 'Title' }),
  deleteConversation: client => client.deleteConversation('x'),
  exportConversation: client => client.exportConversation('x'),
  startTurn: client => client.send('x', { text: 'Hi.' }, 'key'),
  hideMessage: client => client.hideMessage('x', 'x'),
  search: client => client.search('x y'),
  interruptTurn: client => client.interrupt('x', 'enough'),
  interject: client => client.interject('x', 'and'),
  explainTurn: client => client.explain('x'),
  traceTurn: client => client.trace('x'),
  answerRequest: client => client.answer('x', { decision: 'allow' }),
  listMiddleware: client => client.middleware(),
  switchMiddleware: client => client.switchMiddleware('x', false),
  listPermissions: client => client.permissions(),
  revokePermission: client => client.revokePermission('x'),
}

test.each(Object.keys(calls) as CallName[])('the typed client makes the call %s as the contract has it', async name => {
  const { method, path, query, body, keyed }: Call = calls[name]
  const made: Request[] = []
  const client = createClient({
    url: 'http://server',
    token: 'secret',
    fetch: async (url, init) => {
      made.push(new Request(url, init))
      return new Response('{}')
    },
  })
  await asClient[name](client)
  const [request] = made
  const url = new URL(request?.url ?? '')
  expect(`${request?.method} ${url.pathname}`).toBe(`${method.toUpperCase()} ${path.replace(/:\w+/g, 'x')}`)
  expect(request?.headers.get('authorization')).toBe('Bearer secret')
  expect(request?.headers.get('idempotency-key')).toBe(keyed ? 'key' : null)
  query?.parse(Object.fromEntries(url.searchParams))
  if (body) body.parse(await request?.json())
  else expect(await request?.text()).toBe('')
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
