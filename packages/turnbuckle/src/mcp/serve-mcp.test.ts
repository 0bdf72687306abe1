import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { type Agent, block, createAgent, type Middleware, middleware, type Tool, tool } from 'turnbuckle'
import { type ServedPrompt, type ServedResource, type ServeMcpOptions, serveMcp } from 'turnbuckle/mcp'
import { costLimit, explore, modelCache, structured, toolGroups, toolSelect } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

const add = tool({
  name: 'add',
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
})
const asks = middleware({
  name: 'asks',
  guard: true,
  async beforeTool(ctx) {
    const { decision, reason } = await ctx.ask('permission', ctx.call)
    if (decision === 'deny') return block(reason)
  },
})
/** It has a model, which is never called. */
const agentWith = (options: object = {}): Agent =>
  createAgent({ name: 'calculator', model: scriptedModel([]), tools: [add], ...options })

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Answer = { action: 'accept' | 'decline'; content?: { decision: string } }

async function connect(agent: Agent, options: ServeMcpOptions = {}, person?: Answer): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const served = await serveMcp(agent, { ...options, transport: there })
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: person ? { elicitation: { form: {} } } : {} },
  )
  if (person) client.setRequestHandler('elicitation/create', () => person)
  await client.connect(here)
  closing.push(async () => {
    await client.close()
    await served.close()
  })
  return client
}

test("an agent's tools are listed with their schemas", async () => {
  const client = await connect(agentWith())
  expect(client.getServerVersion()?.name).toBe('calculator')
  expect((await client.listTools()).tools).toMatchObject([
    { name: 'add', description: 'Adds.', inputSchema: { type: 'object', required: ['a', 'b'] } },
  ])
})

test('a call runs the tool, through every hook', async () => {
  const hooks: string[] = []
  const watch = middleware({
    name: 'watch',
    beforeTurn: () => void hooks.push('beforeTurn'),
    beforeTool: ctx => void hooks.push(`beforeTool ${ctx.call.name}`),
    afterTool: ctx => void hooks.push(`afterTool ${ctx.result.status}`),
    afterTurn: ctx => void hooks.push(`afterTurn ${ctx.result.status}`),
  })
  const client = await connect(agentWith({ use: [watch] }))
  const result = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })
  expect(result).toMatchObject({ content: [{ type: 'text', text: '{"sum":3}' }] })
  expect(result.isError).toBeFalsy()
  expect(hooks).toEqual(['beforeTurn', 'beforeTool add', 'afterTool ok', 'afterTurn completed'])
})

test.each<{ value: unknown; content: object[] }>([
  { value: 'text', content: [{ type: 'text', text: 'text' }] },
  { value: undefined, content: [{ type: 'text', text: 'null' }] },
  {
    value: ['Here:', { type: 'file', mediaType: 'image/png', data: Uint8Array.of(1, 2, 3) }],
    content: [
      { type: 'text', text: 'Here:' },
      { type: 'image', mimeType: 'image/png', data: 'AQID' },
    ],
  },
  {
    value: { type: 'file', mediaType: 'image/png', data: 'no Base64' },
    content: [{ type: 'text', text: '[image/png: a file that cannot be read]' }],
  },
  {
    value: { type: 'file', mediaType: 'audio/wav', data: 'data:audio/wav;base64,AQID' },
    content: [{ type: 'audio', mimeType: 'audio/wav', data: 'AQID' }],
  },
  {
    value: { type: 'file', mediaType: 'application/pdf', name: 'a b.pdf', data: 'AQID' },
    content: [
      { type: 'resource', resource: { uri: 'attachment:a%20b.pdf', mimeType: 'application/pdf', blob: 'AQID' } },
    ],
  },
  {
    value: { type: 'file', mediaType: 'image/png', data: 'https://example.com/a.png' },
    content: [
      {
        type: 'resource_link',
        uri: 'https://example.com/a.png',
        name: 'https://example.com/a.png',
        mimeType: 'image/png',
      },
    ],
  },
])('what a tool gives reaches the client as it is: $content', async ({ value, content }) => {
  const client = await connect(agentWith({ tools: [tool({ name: 'give', run: () => value })] }))
  expect((await client.callTool({ name: 'give' })).content).toEqual(content)
})

const looking = (name: string) => tool({ name, run: () => name })
const dozen = Array.from({ length: 12 }, (_, i) => looking(`look_${i}`))

test.each<{ with: string; use: Middleware[]; tools?: Tool[] }>([
  { with: 'modelCache', use: [modelCache()] },
  { with: 'structured', use: [structured(z.object({ x: z.number() }))] },
  { with: 'explore', use: [explore({ judge: () => 1 })] },
  { with: 'costLimit', use: [costLimit(1)] },
  { with: 'toolSelect', use: [toolSelect({ model: scriptedModel(['look_1']), max: 1 })], tools: dozen },
  { with: 'toolGroups', use: [toolGroups([{ name: 'maths', description: 'Maths', tools: ['add'] }])] },
])('with $with each call is made once, with its own arguments', async ({ use, tools = [] }) => {
  const ran: unknown[] = []
  const watch = middleware({ name: 'watch', beforeTool: ctx => void ran.push(ctx.call.args) })
  const client = await connect(agentWith({ tools: [add, ...tools], use: [...use, watch] }))
  for (const [a, text] of [
    [1, '{"sum":3}'],
    [5, '{"sum":7}'],
  ])
    expect((await client.callTool({ name: 'add', arguments: { a, b: 2 } })).content).toEqual([{ type: 'text', text }])
  expect(ran).toEqual([
    { a: 1, b: 2 },
    { a: 5, b: 2 },
  ])
})

test.each<{ what: string; use?: object[]; name?: string; args?: object; says: string }>([
  {
    what: 'a guard blocks',
    use: [middleware({ name: 'no', guard: true, beforeTool: () => block('not today') })],
    says: 'not today',
  },
  { what: 'has wrong arguments', args: { a: 'x' }, says: 'do not fit' },
  { what: 'names no tool', name: 'sub', says: 'no tool \\"sub\\"' },
  {
    what: 'fails the turn',
    use: [
      middleware({
        name: 'x',
        beforeTurn: () => {
          throw new Error('broken hook')
        },
      }),
    ],
    says: 'broken hook',
  },
  { what: 'needs a permission that nobody can give', use: [asks], says: 'cannot ask its person' },
])('a call that $what is an error for the client', async ({ use = [], name = 'add', args = { a: 1, b: 2 }, says }) => {
  const client = await connect(agentWith({ use }))
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
  expect(result.isError).toBe(true)
  expect(JSON.stringify(result.content)).toContain(says)
})

describe('a permission is asked of the person at the client', () => {
  test.each<{ person: Answer; isError: boolean }>([
    { person: { action: 'accept', content: { decision: 'allow' } }, isError: false },
    { person: { action: 'accept', content: { decision: 'deny' } }, isError: true },
    { person: { action: 'decline' }, isError: true },
  ])('$person', async ({ person, isError }) => {
    const client = await connect(agentWith({ use: [asks] }), {}, person)
    const result = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })
    expect(result.isError ?? false).toBe(isError)
  })
  test('or answered as the program says', async () => {
    const seen: unknown[] = []
    const answer = (request: unknown) => {
      seen.push(request)
      return { decision: 'allow' }
    }
    const client = await connect(agentWith({ use: [asks] }), { answer })
    expect((await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).isError).toBeFalsy()
    expect(seen).toMatchObject([{ kind: 'permission', payload: { name: 'add', args: { a: 1, b: 2 } } }])
  })
})

test('a client that gives up interrupts the turn', async () => {
  const statuses: string[] = []
  const giveUp = new AbortController()
  const ended = new Promise<void>(resolve => {
    const wait = tool({ name: 'wait', run: () => new Promise(() => giveUp.abort()) })
    const watch = middleware({
      name: 'watch',
      afterTurn: ctx => {
        statuses.push(ctx.result.status)
        resolve()
      },
    })
    void connect(agentWith({ tools: [wait], use: [watch] })).then(client =>
      client.callTool({ name: 'wait' }, { signal: giveUp.signal }).catch(() => {}),
    )
  })
  await ended
  expect(statuses).toEqual(['interrupted'])
})

describe('what is offered beside the tools', () => {
  const greeting: ServedPrompt = {
    name: 'greeting',
    description: 'Greets.',
    arguments: [
      { name: 'who', required: true, complete: (written, { tone }) => [`${written}da`, `${written}dam ${tone}`] },
      { name: 'tone' },
    ],
    get: ({ who }) => [
      { role: 'user', content: [{ type: 'text', text: `Greet ${who}.` }] },
      { role: 'assistant', content: [{ type: 'file', mediaType: 'text/plain', data: btoa('Hi.'), name: 'memo://hi' }] },
    ],
  }
  const notes: readonly ServedResource[] = [
    { uri: 'notes://today', name: 'Today', mimeType: 'text/plain', read: () => 'Rain.' },
    { uri: 'notes://picture', name: 'Picture', read: () => new Uint8Array([1, 2]) },
    {
      uri: 'notes://{day}/all',
      name: 'A day',
      read: (_uri, { day }) => ({ day }),
      complete: { day: written => [`${written}day`] },
    },
  ]

  test('prompts are listed and made, with embedded resources; a missing argument is named', async () => {
    const client = await connect(agentWith(), { prompts: [greeting] })
    expect((await client.listPrompts()).prompts).toMatchObject([
      {
        name: 'greeting',
        arguments: [
          { name: 'who', required: true },
          { name: 'tone', required: false },
        ],
      },
    ])
    expect((await client.getPrompt({ name: 'greeting', arguments: { who: 'Ada' } })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Greet Ada.' } },
      {
        role: 'assistant',
        content: { type: 'resource', resource: { uri: 'memo://hi', mimeType: 'text/plain', text: 'Hi.' } },
      },
    ])
    await expect(client.getPrompt({ name: 'greeting' })).rejects.toThrow('needs the argument "who"')
    await expect(client.getPrompt({ name: 'greting' })).rejects.toThrow('Prompts here: greeting')
  })

  test('resources are read by their address or a pattern, and a change is told to whoever asked for it', async () => {
    const [here, there] = InMemoryTransport.createLinkedPair()
    const served = await serveMcp(agentWith(), { resources: notes, transport: there })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(here)
    closing.push(() => client.close(), served.close)
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['notes://today', 'notes://picture'])
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'notes://{day}/all' },
    ])
    const read = async (uri: string) => (await client.readResource({ uri })).contents
    expect(await read('notes://today')).toEqual([{ uri: 'notes://today', mimeType: 'text/plain', text: 'Rain.' }])
    expect(await read('notes://picture')).toMatchObject([{ blob: 'AQI=' }])
    expect(await read('notes://monday/all')).toMatchObject([{ mimeType: 'application/json', text: '{"day":"monday"}' }])
    await expect(read('notes://nothing')).rejects.toThrow('There is no resource')
    const changed = new Promise(resolve =>
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri)),
    )
    await client.subscribeResource({ uri: 'notes://today' })
    served.resourceChanged('notes://picture')
    served.resourceChanged('notes://today')
    expect(await changed).toBe('notes://today')
  })

  test('arguments of prompts and variables of patterns are completed', async () => {
    const client = await connect(agentWith(), { prompts: [greeting], resources: notes })
    const complete = async (ref: Parameters<Client['complete']>[0]['ref'], name: string, value: string) =>
      (await client.complete({ ref, argument: { name, value }, context: { arguments: { tone: 'kind' } } })).completion
    expect(await complete({ type: 'ref/prompt', name: 'greeting' }, 'who', 'A')).toMatchObject({
      values: ['Ada', 'Adam kind'],
      total: 2,
    })
    expect(await complete({ type: 'ref/prompt', name: 'greeting' }, 'tone', 'A')).toMatchObject({ values: [] })
    const ref = { type: 'ref/resource' as const, uri: 'notes://{day}/all' }
    expect(await complete(ref, 'day', 'mon')).toMatchObject({ values: ['monday'] })
  })
})

test('progress and log lines of a tool reach the client before its result', async () => {
  const busy = tool({
    name: 'busy',
    run(_args, { emit }) {
      emit({ type: 'mcp.log', level: 'warning', data: 'careful' })
      emit({ type: 'tool.progress', done: 1, total: 2, message: 'half' })
      emit({ type: 'tool.progress', done: 1 })
      return { rows: 3 }
    },
  })
  const client = await connect(agentWith({ tools: [busy] }))
  const logged: unknown[] = []
  client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params))
  const progress: unknown[] = []
  const result = await client.callTool({ name: 'busy' }, { onprogress: told => progress.push(told) })
  expect(result).toMatchObject({ content: [{ type: 'text', text: '{"rows":3}' }], structuredContent: { rows: 3 } })
  expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }, { progress: 2 }])
  expect(logged).toEqual([{ level: 'warning', data: 'careful' }])
})
