import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Agent, block, createAgent, middleware, tool } from 'turnbuckle'
import { connectMcp, type McpHandlerOptions, mcpHandler } from 'turnbuckle/mcp'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** The revisions that requests have named. */
const spoken = new Set<string>()

/** A real server on this machine that has the handler at every address. */
async function serve(agent: Agent, options: McpHandlerOptions = {}): Promise<URL> {
  const handler = await mcpHandler(agent, options)
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers, url = '/' } = request
    spoken.add(String(headers['mcp-protocol-version']))
    const init = method === 'GET' || method === 'DELETE' ? {} : { body: Readable.toWeb(request), duplex: 'half' }
    const given = new Request(new URL(url, `http://${headers.host}`), {
      method,
      headers: headers as never,
      ...init,
    } as RequestInit)
    const answer = await handler.fetch(given)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) Readable.fromWeb(answer.body as NodeStream).pipe(response)
    else response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    await handler.close()
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
}

type Said = { action: 'accept' | 'decline'; content?: Record<string, string> }

const newest = '2026-07-28'
const revisions = [
  { revision: 'of 2025', mode: 'legacy' as const, is: '2025-11-25' },
  { revision: 'the newest', mode: { pin: newest }, is: newest },
]

async function connect(
  address: URL,
  mode: 'legacy' | { pin: string },
  person?: (message: string) => Said,
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: person ? { elicitation: { form: {} } } : {} },
  )
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params.message))
  await client.connect(new StreamableHTTPClientTransport(address))
  closing.push(() => client.close())
  return client
}

const ran: unknown[] = []
const add = tool({
  name: 'add',
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number() }),
  run({ a, b }) {
    ran.push([a, b])
    return { sum: a + b }
  },
})
const agentWith = (...use: ReturnType<typeof middleware>[]): Agent =>
  createAgent({ name: 'calculator', model: scriptedModel([]), tools: [add], use })
const call = { name: 'add', arguments: { a: 1, b: 2 } }

describe.each(revisions)('over streamable HTTP, revision $revision', ({ mode, is }) => {
  test('tools are listed and run', async () => {
    const client = await connect(await serve(agentWith()), mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(is)
    expect((await client.listTools()).tools).toMatchObject([{ name: 'add', inputSchema: { required: ['a', 'b'] } }])
    expect(await client.callTool(call)).toMatchObject({ content: [{ type: 'text', text: '{"sum":3}' }] })
  })

  test('a guard that denies is seen, and nothing runs', async () => {
    ran.length = 0
    const guard = middleware({ name: 'no', guard: true, beforeTool: () => block('not today') })
    const client = await connect(await serve(agentWith(guard)), mode)
    const result = await client.callTool(call)
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toContain('not today')
    expect(ran).toEqual([])
  })

  test('without a person a permission is denied', async () => {
    const client = await connect(await serve(agentWith(approval())), mode)
    const result = await client.callTool(call)
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toContain('cannot ask its person')
  })

  test('a program may answer instead', async () => {
    const address = await serve(agentWith(approval()), { answer: () => ({ decision: 'allow' }) })
    const result = await (await connect(address, mode)).callTool(call)
    expect(result.isError).toBeFalsy()
  })
})

describe.each(revisions)('revision $revision asks the person of the client', ({ mode }) => {
  test.each<{ said: Said; runs: number }>([
    { said: { action: 'accept', content: { decision: 'allow' } }, runs: 1 },
    { said: { action: 'accept', content: { decision: 'deny' } }, runs: 0 },
    { said: { action: 'decline' }, runs: 0 },
  ])('$said', async ({ said, runs }) => {
    ran.length = 0
    const asked: string[] = []
    const client = await connect(await serve(agentWith(approval())), mode, message => {
      asked.push(message)
      return said
    })
    const result = await client.callTool(call)
    expect(result.isError ?? false).toBe(runs === 0)
    expect(ran).toHaveLength(runs)
    expect(asked).toEqual(['May add run with {"a":1,"b":2}?'])
  })

  test('several questions of one call are answered one after the other', async () => {
    const asks = middleware({
      name: 'asks',
      async wrapTool(ctx) {
        const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
        const first = await ctx.ask('question', { question: 'Who?', schema })
        const second = await ctx.ask('question', { question: `And beside ${String(first.name)}?`, schema })
        return `${String(first.name)} and ${String(second.name)}`
      },
    })
    const names: Record<string, string> = { 'Who?': 'Ada', 'And beside Ada?': 'Bob' }
    const client = await connect(await serve(agentWith(asks)), mode, message => ({
      action: 'accept',
      content: { name: names[message] ?? message },
    }))
    expect(await client.callTool(call)).toMatchObject({ content: [{ type: 'text', text: 'Ada and Bob' }] })
  })
})

describe('the newest revision', () => {
  test('a yes to other arguments is none', async () => {
    ran.length = 0
    const address = await serve(agentWith(approval()))
    let allowed: unknown
    const client = await connect(address, { pin: newest }, () => ({ action: 'accept', content: { decision: 'allow' } }))
    const send = globalThis.fetch
    // What a client would send that repeats the answer to a call it has changed.
    const lying: typeof fetch = (input, init) => {
      const body = JSON.parse(String(init?.body ?? '{}'))
      if (body.params?.inputResponses) {
        allowed = body.params.inputResponses
        body.params.arguments = { a: 100, b: 200 }
      }
      return send(input, { ...init, body: JSON.stringify(body) })
    }
    const liar = new Client(
      { name: 'liar', version: '1' },
      { versionNegotiation: { mode: { pin: newest } }, capabilities: { elicitation: { form: {} } } },
    )
    let questions = 0
    liar.setRequestHandler('elicitation/create', () =>
      questions++ ? { action: 'decline' } : { action: 'accept', content: { decision: 'allow' } },
    )
    await liar.connect(new StreamableHTTPClientTransport(address, { fetch: lying }))
    closing.push(() => liar.close())
    const result = await liar.callTool(call)
    expect(allowed).toBeDefined()
    expect(result.isError).toBe(true)
    expect(questions).toBe(2)
    expect(ran).toEqual([])
    expect((await client.callTool(call)).isError).toBeFalsy()
  })
})

test.each<{ what: string; headers: Record<string, string> }>([
  { what: 'another name for this machine (DNS rebinding)', headers: { host: 'evil.example' } },
  { what: 'a page of somebody else', headers: { origin: 'https://evil.example' } },
])('$what is refused', async ({ headers }) => {
  const handler = await mcpHandler(agentWith())
  const response = await handler.fetch(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: '127.0.0.1', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    }),
  )
  expect(response.status).toBe(403)
  await handler.close()
})

test("an agent uses another one's tools, in the newest revision; a guard there holds here", async () => {
  ran.length = 0
  const guard = middleware({
    name: 'small',
    guard: true,
    beforeTool: ({ call }) => ((call.args as { a: number }).a > 9 ? block('too large') : undefined),
  })
  const address = await serve(agentWith(guard))
  spoken.clear()
  const mcp = await connectMcp({ sums: { url: address.href, headers: {} } })
  closing.push(() => mcp.close())
  expect(mcp.servers).toMatchObject([{ name: 'sums', status: 'ready' }])
  const calls = [1, 10].map(a => ({ name: 'sums__add', args: { a, b: 2 } }))
  const model = scriptedModel([{ calls }, 'Done.'])
  const agent = createAgent({ model })
  mcp.attach(agent)
  const { messages } = await agent.send('Add.')
  const results = messages.flatMap(({ content }) => content).filter(part => part.type === 'result')
  expect(results.map(({ status }) => status)).toEqual(['ok', 'error'])
  expect(String(results[1]?.value)).toContain('too large')
  expect(ran).toEqual([[1, 2]])
  expect([...spoken]).toEqual([newest])
})

test('a session that is not there is refused, one that was ended too', async () => {
  const address = await serve(agentWith())
  const client = await connect(address, 'legacy')
  const { transport } = client
  const sessionId = (transport as StreamableHTTPClientTransport).sessionId ?? ''
  await (transport as StreamableHTTPClientTransport).terminateSession()
  for (const id of [sessionId, 'nobody']) {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': id,
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(404)
  }
})
