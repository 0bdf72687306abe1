import { Validator } from '@seriousme/openapi-schema-validator'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { serve } from '../../test/serve.ts'

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

test('the OpenAPI document names every call', async () => {
  const server = await serve({ model: scriptedModel([]) })
  const { body } = await server.call('GET', '/api/openapi.json')
  expect(body.openapi).toBe('3.1.0')
  expect(Object.keys(body.paths['/api/conversations/{id}'])).toEqual(['get', 'patch', 'delete'])
  expect(body.paths['/api/conversations/{id}/turns'].post.responses['409'].description).toContain('turn.running')
  const turn = body.paths['/api/conversations/{id}/turns'].post.requestBody.content['application/json'].schema
  const required = turn.anyOf.map((one: { required: string[] }) => one.required)
  expect(required).toEqual([['regenerate'], ['continue'], ['text']])
})
