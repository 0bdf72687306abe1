import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { add, settled, waiting } from '../../../test/asking.ts'
import { type Served, serve } from '../../../test/serve.ts'
import { storedPermissions } from '../../index.ts'

let server: Served

test('a standing permission counts for whoever gave it, is listed, and can be taken back', async () => {
  const store = memoryStore()
  const permissions = storedPermissions(store)
  const calls = { calls: [{ name: 'add', args: { a: 1, b: 2 } }] }
  server = await serve(
    {
      model: scriptedModel([calls, 'ok'], { repeat: true }),
      tools: [add],
      store,
      use: [approval({ store: permissions.storeFor })],
    },
    { store, permissions, token: undefined, tokens: 'alice:a-token,bob:b-token' },
  )
  const id = await server.newConversation()
  const first = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })).body.turnId
  await server.call('POST', `/api/requests/${(await waiting(server, id)).id}/answer`, {
    decision: 'allow',
    scope: 'always',
  })
  await settled(server, id, first)
  const again = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })).body.turnId
  expect(await settled(server, id, again)).toMatchObject({ status: 'completed' })
  const bob = { authorization: 'Bearer b-token' }
  const [grant] = (await server.call('GET', '/api/permissions')).body.permissions
  expect(grant).toMatchObject({ decision: 'allow', scope: 'always', tool: 'add' })
  expect((await server.call('GET', '/api/permissions', undefined, bob)).body.permissions).toEqual([])
  expect((await server.call('DELETE', `/api/permissions/${grant.id}`, undefined, bob)).status).toBe(404)
  expect((await server.call('DELETE', `/api/permissions/${grant.id}`)).status).toBe(204)
  const last = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })).body.turnId
  expect(await waiting(server, id)).toMatchObject({ kind: 'permission', turnId: last })
  await server.call('POST', `/api/turns/${last}/interrupt`)
})

test('an error of the server’s own tells the client nothing', async () => {
  const errors: unknown[] = []
  const broken = {
    list: () => {
      throw new Error('password=hunter2')
    },
    revoke: () => false,
  }
  server = await serve({ model: scriptedModel([]) }, { permissions: broken, onError: error => errors.push(error) })
  const answer = await server.call('GET', '/api/permissions')
  expect(answer).toMatchObject({ status: 500, body: { error: { code: 'server.error' } } })
  expect(JSON.stringify(answer.body)).not.toContain('hunter2')
  expect(errors).toHaveLength(1)
})
