import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { restateRunner } from './restate-runner.ts'

const order = { conversationId: 'conv/1', turnId: 't 1', start: { parentId: null } }

/** An ingress that answers with these statuses, one after the other, the last again and again. */
async function ingress(...statuses: readonly number[]) {
  const calls: { path: string; body: unknown; headers: IncomingMessage['headers'] }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    calls.push({ path: request.url ?? '', body: JSON.parse(body), headers: request.headers })
    response.statusCode = statuses[Math.min(calls.length, statuses.length) - 1] ?? 202
    response.end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

test('a turn is the workflow of its conversation and id', async () => {
  const { url, calls } = await ingress(202)
  await restateRunner({ ingress: url, headers: { authorization: 'Bearer x' } }).start(order)
  expect(calls).toMatchObject([
    { path: '/turnbuckle-turn/conv%2F1~t%201/run/send', body: order, headers: { authorization: 'Bearer x' } },
  ])
})

test('a turn that Restate has already is taken as started', async () => {
  const { url, calls } = await ingress(409)
  await restateRunner({ ingress: url }).start(order)
  expect(calls).toHaveLength(1)
})

test('a failure that may pass is tried again, any other is told at once', async () => {
  const passing = await ingress(503, 500, 202)
  await restateRunner({ ingress: passing.url }).start(order)
  expect(passing.calls).toHaveLength(3)
  const lasting = await ingress(404)
  await expect(restateRunner({ ingress: lasting.url }).start(order)).rejects.toMatchObject({
    code: 'engine.unreachable',
  })
  expect(lasting.calls).toHaveLength(1)
})

test('waking submits the turn without its beginning, and names the requests that have ended', async () => {
  const { url, calls } = await ingress(202)
  await restateRunner({ ingress: url }).wake(order, ['q1', 'q2'])
  expect(calls.map(({ path }) => path.split('/').slice(-2).join('/'))).toEqual(['run/send', 'wake/send'])
  expect(calls[0]?.body).toEqual({ conversationId: 'conv/1', turnId: 't 1' })
  expect(calls[1]?.body).toEqual(['q1', 'q2'])
})
