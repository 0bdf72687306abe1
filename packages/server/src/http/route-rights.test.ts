import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { serve } from '../../test/serve.ts'
import { rights } from '../access/rights.ts'
import { roles } from '../access/roles.ts'
import type { Call } from './call.ts'
import { calls, streams } from './contract.ts'

type Route = Pick<Call, 'method' | 'path' | 'act'>
const routes = Object.entries({ ...calls, ...streams } as Readonly<Record<string, Route>>)
const tokens = roles.map(role => `${role}-person:${role}-token:${role}`).join(',')

test.each(routes)(
  '%s is refused to the roles that its row of the table of rights lacks, and to no other',
  async (_name, { method, path, act }) => {
    const server = await serve({ model: scriptedModel([]) }, { token: undefined, tokens })
    const answers = await Promise.all(
      roles.map(async role => {
        const response = await fetch(server.url + path.replace(/:\w+/g, 'none'), {
          method: method.toUpperCase(),
          headers: { authorization: `Bearer ${role}-token`, 'content-type': 'application/json' },
          ...(method === 'get' ? {} : { body: '{' }),
        })
        const text = await response.text()
        return [role, /role\.missing|"You are a/.test(text) && response.status === 403 ? 'refused' : 'let in']
      }),
    )
    expect(answers).toEqual(roles.map(role => [role, rights[act].may[role] ? 'let in' : 'refused']))
  },
)

test('no route answers without a token, nor with one that is wrong', async () => {
  const server = await serve({ model: scriptedModel([]) }, { token: undefined, tokens })
  const ask = async ({ method, path }: Route, headers: Record<string, string>) => {
    const url = server.url + path.replace(/:\w+/g, 'none')
    const body = method === 'get' ? {} : { body: '{}' }
    return (await fetch(url, { method: method.toUpperCase(), headers, ...body })).status
  }
  for (const [name, route] of routes)
    expect([await ask(route, {}), await ask(route, { authorization: 'Bearer x' })], name).toEqual([401, 401])
})

test('a frame of a socket is refused to the roles that may not make its call', async () => {
  const server = await serve({ model: scriptedModel([]) }, { token: undefined, tokens })
  const frames = [
    { type: 'send', conversationId: 'none', text: 'x' },
    { type: 'interrupt', turnId: 'none' },
    { type: 'interject', turnId: 'none', text: 'x' },
    { type: 'answer', requestId: 'none', decision: 'allow' },
    { type: 'subscribe', conversationId: 'none' },
    { type: 'watch' },
  ]
  const codesOf = async (role: string) => {
    const socket = await server.join(`${role}-token`)
    const replies = []
    for (const frame of frames) replies.push(await socket.ask(frame).catch(error => error))
    return replies.map(reply => reply?.error?.code ?? reply?.code ?? 'ok')
  }
  expect((await codesOf('viewer')).map(code => code === 'role.missing')).toEqual([true, true, true, true, false, false])
  for (const role of ['member', 'owner']) expect(await codesOf(role)).not.toContain('role.missing')
})
