import { createAgent } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { calledByRequest, clientTools, clientToolsOf } from './client-tools.ts'

const schema = { type: 'object', properties: { exact: { type: 'boolean' } } }
const where = { name: 'where', description: 'The place.', schema }

test('tools are read from a list and from a record, with either name of their schema', () => {
  expect(clientToolsOf([{ name: 'where', description: 'The place.', parameters: schema }])).toEqual([where])
  expect(clientToolsOf({ where: { description: 'The place.', inputSchema: schema } })).toEqual([where])
  expect(clientToolsOf(undefined)).toEqual([])
})

test('a call is a request that the client answers; guards are asked first, and arguments are checked', async () => {
  const calls = [
    { name: 'where', args: { exact: true } },
    { name: 'where', args: { exact: 'very' } },
    { name: 'where', args: {} },
  ]
  const agent = createAgent({ model: scriptedModel([{ calls }, 'ok']), use: [approval()] })
  const turn = agent.send('go', { use: [clientTools([where])] })
  const kinds: string[] = []
  for await (const event of turn) {
    if (event.type !== 'request.opened') continue
    kinds.push(event.kind)
    const callId = calledByRequest(event)
    if (callId === undefined) turn.answer(event.requestId, { decision: kinds.length === 1 ? 'allow' : 'deny' })
    else turn.answer(event.requestId, { status: 'ok', value: 'Oslo' })
  }
  const parts = (await turn).messages.flatMap(({ content }) => content)
  expect(parts.flatMap(part => (part.type === 'result' ? [part.status] : []))).toEqual(['ok', 'error', 'denied'])
  expect(kinds).toEqual(['permission', 'permission', 'client-tool'])
})
