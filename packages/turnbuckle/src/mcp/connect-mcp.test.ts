import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAgent, type Message, type ResultPart, tool } from 'turnbuckle'
import { connectMcp, type Mcp, type McpOptions, type McpServer } from 'turnbuckle/mcp'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { memoryPins } from './pins.ts'

const program = (path: string) => fileURLToPath(import.meta.resolve(path))
const everything: McpServer = {
  command: process.execPath,
  args: [program('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
}
const odd: McpServer = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../test/fixtures/mcp-server.mjs', import.meta.url))],
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function connect(servers: Record<string, McpServer>, options?: McpOptions): Promise<Mcp> {
  const mcp = await connectMcp(servers, options)
  closing.push(() => mcp.close())
  return mcp
}

const resultOf = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) => content).findLast(part => part.type === 'result') as ResultPart

/** One call, through an agent. */
async function call(mcp: Mcp, name: string, args: unknown = {}): Promise<ResultPart> {
  const agent = createAgent({ model: scriptedModel([{ calls: [{ name, args }] }, 'ok']) })
  const detach = mcp.attach(agent)
  const { messages } = await agent.send('go')
  detach()
  return resultOf(messages)
}

/** A process that has ended but that nobody has collected yet is not alive. */
const isAlive = (pid: number) => {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
  return state !== '' && !state.startsWith('Z')
}

describe('a program calls a tool', () => {
  test('and gets its text; an error and an unknown server are thrown', async () => {
    const mcp = await connect({ all: everything })
    expect(await mcp.call('all', 'echo', { message: 'hello' })).toBe('Echo: hello')
    await expect(mcp.call('all', 'get-sum', { a: 'x' })).rejects.toThrow()
    await expect(mcp.call('other', 'echo')).rejects.toThrow('There is no server "other"')
  })
  test('of a server that is gone, or has changed it, in vain', async () => {
    const pins = memoryPins()
    await pins.set('all/echo', 'another definition')
    const mcp = await connect({ all: everything, gone: { command: 'no-such-program' } }, { pins })
    await expect(mcp.call('all', 'echo', { message: 'hello' })).rejects.toThrow('"all" has changed "echo"')
    await expect(mcp.call('gone', 'echo')).rejects.toThrow('The MCP server "gone" is not connected.')
  })
})

describe('the real server-everything over stdio', () => {
  test('its tools run, with the name of the server in front', async () => {
    const mcp = await connect({ all: everything })
    expect(mcp.servers).toEqual([{ name: 'all', status: 'ready' }])
    expect(await call(mcp, 'all__echo', { message: 'hello' })).toMatchObject({ status: 'ok', value: 'Echo: hello' })
    const refused = { status: 'error', value: expect.stringContaining('The arguments of all__get-sum do not fit.') }
    for (const args of [{}, [2, 3], { a: '2', b: 3 }])
      expect(await call(mcp, 'all__get-sum', args)).toMatchObject(refused)
    expect(await call(mcp, 'all__get-sum', { a: 2, b: 3 })).toMatchObject({
      status: 'ok',
      value: expect.stringContaining('5'),
    })
    expect(await call(mcp, 'all__echo', { message: 5 })).toMatchObject({ status: 'error' })
  })
  test('a tool whose server says that it only reads is read-only', async () => {
    const { tools } = await connect({ all: everything, odd })
    const isReadOnly = (wanted: string) => tools.find(({ name }) => name === wanted)?.readOnly
    expect([isReadOnly('all__echo'), isReadOnly('odd__echo')]).toEqual([true, false])
  })
  test('an image comes as a file', async () => {
    const mcp = await connect({ all: everything }, { prefix: false })
    const { value } = await call(mcp, 'get-tiny-image')
    expect(value).toContainEqual({ type: 'file', mediaType: 'image/png', data: expect.any(String) })
  })
  test('its resources and prompts can be read', async () => {
    const mcp = await connect({ all: everything })
    const resources = await mcp.resources()
    expect(resources.length).toBeGreaterThan(0)
    const { server = '', uri = '' } = resources[0] ?? {}
    expect((await call(mcp, 'list_resources')).value).toContain(uri)
    const read = await call(mcp, 'read_resource', { server, uri })
    expect(read.status).toBe('ok')
    expect(String(read.value).length).toBeGreaterThan(0)
    const prompts = await mcp.prompts()
    const simple = prompts.find(prompt => !prompt.arguments.some(({ required }) => required))
    const messages = await mcp.prompt('all', simple?.name ?? '')
    expect(messages[0]).toMatchObject({ role: 'user', content: [{ type: 'text' }] })
    await expect(mcp.prompt('none', 'x')).rejects.toThrow('Servers here: all')
  })
  test('its progress is told', async () => {
    const mcp = await connect({ all: everything })
    const agent = createAgent({
      model: scriptedModel([
        { calls: [{ name: 'all__trigger-long-running-operation', args: { duration: 0.3, steps: 3 } }] },
        'ok',
      ]),
    })
    mcp.attach(agent)
    const progress: unknown[] = []
    for await (const event of agent.send('go')) if (event.type === 'tool.progress') progress.push(event.progress)
    expect(progress.length).toBeGreaterThan(0)
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Starts server-everything at a port of this machine. */
async function startEverything(transport: 'streamableHttp' | 'sse', port: number): Promise<ChildProcess> {
  const child: ChildProcess = spawn(
    process.execPath,
    [program('@modelcontextprotocol/server-everything/dist/index.js'), transport],
    { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  closing.push(() => child.kill('SIGKILL'))
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stderr, child.stdout])
      stream?.on('data', text => /listening|port|running/i.test(String(text)) && resolve())
    child.on('exit', () => reject(new Error('The server did not start.')))
  })
  return child
}

test('a server that speaks only the transport of 2024 is reached too', async () => {
  const port = await freePort()
  const child = await startEverything('sse', port)
  const url = `http://127.0.0.1:${port}/sse`
  const mcp = await connect({ found: { url }, told: { url, type: 'sse' } })
  for (const name of ['found', 'told'])
    expect(await call(mcp, `${name}__echo`, { message: 'hello' })).toMatchObject({ status: 'ok', value: 'Echo: hello' })
  child.removeAllListeners('exit')
})

test('the real server-everything over streamable HTTP, which may come and go', async () => {
  const port = await freePort()
  const child = await startEverything('streamableHttp', port)
  const mcp = await connect({ web: { url: `http://127.0.0.1:${port}/mcp` } })
  expect(await call(mcp, 'web__echo', { message: 'hello' })).toMatchObject({ status: 'ok', value: 'Echo: hello' })
  child.removeAllListeners('exit')
  child.kill('SIGKILL')
  await new Promise(resolve => child.on('close', resolve))
  expect(await call(mcp, 'web__echo', { message: 'hello' })).toMatchObject({ status: 'error' })
})

test('the real server-filesystem reads its folder, and nothing else', async () => {
  const root = await mkdtemp(join(tmpdir(), 'turnbuckle-'))
  closing.push(() => rm(root, { recursive: true }))
  await writeFile(join(root, 'a.txt'), 'inside')
  const args = [program('@modelcontextprotocol/server-filesystem/dist/index.js'), root]
  const mcp = await connect({ files: { command: process.execPath, args } }, { prefix: false })
  expect(await call(mcp, 'read_text_file', { path: join(root, 'a.txt') })).toMatchObject({
    status: 'ok',
    value: 'inside',
  })
  expect(await call(mcp, 'read_text_file', { path: '/etc/passwd' })).toMatchObject({
    status: 'error',
    value: expect.stringContaining('denied'),
  })
})

test('a server without resources and prompts is not asked for them: nothing is printed, where stdout may be a protocol', async () => {
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {})
  closing.push(() => debug.mockRestore())
  const mcp = await connect({ odd })
  expect([await mcp.resources(), await mcp.prompts()]).toEqual([[], []])
  expect(debug).not.toHaveBeenCalled()
})

describe('names', () => {
  test.each([
    { prefix: true, names: ['a__echo', 'b__echo'] },
    { prefix: false, names: ['a__echo', 'b__echo'] },
  ])('two servers with the same tool, prefix $prefix', async ({ prefix, names }) => {
    const mcp = await connect({ a: odd, b: odd }, { prefix })
    expect(mcp.tools.map(({ name }) => name).filter(name => name.endsWith('echo'))).toEqual(names)
  })
  test('an agent may have several connections, each by its own name', async () => {
    const agent = createAgent({ model: scriptedModel([{ calls: [{ name: 'b__echo', args: { text: 'hi' } }] }, 'ok']) })
    const [a, b] = [await connect({ a: odd }), await connect({ b: odd }, { name: 'more' })]
    a.attach(agent)
    b.attach(agent)
    expect(resultOf((await agent.send('go')).messages)).toMatchObject({ value: 'echo hi' })
  })
  test('an agent keeps its own tool of the same name', async () => {
    const mcp = await connect({ odd }, { prefix: false })
    const echo = tool({ name: 'echo', run: () => 'mine' })
    const agent = createAgent({ model: scriptedModel([{ calls: [{ name: 'echo' }] }, 'ok']), tools: [echo] })
    mcp.attach(agent)
    expect(resultOf((await agent.send('go')).messages)).toMatchObject({ value: 'mine' })
  })
})

describe('a server that', () => {
  test('cannot be started is listed as failed, and does not stop the others', async () => {
    const bad: McpServer = { command: 'no-such-program-here' }
    const broken: McpServer = {
      command: process.execPath,
      args: ['-e', 'console.error("no licence"); process.exit(1)'],
    }
    const mcp = await connect({ bad, odd, broken, unheard: { url: 'http://127.0.0.1:9/mcp' } })
    expect(mcp.servers.map(({ name, status }) => [name, status])).toEqual([
      ['bad', 'failed'],
      ['odd', 'ready'],
      ['broken', 'failed'],
      ['unheard', 'failed'],
    ])
    expect(mcp.servers[2]?.error).toContain('no licence')
    expect(await call(mcp, 'odd__echo', { text: 'x' })).toMatchObject({ value: 'echo x' })
  })
  test('does not answer when it should introduce itself is given up, and ended', async () => {
    // Of this run alone: other runs may be going on.
    const mark = `turnbuckle-silent-${process.pid}`
    const silent: McpServer = {
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)', mark],
    }
    const mcp = await connect({ silent, odd }, { connectTimeout: 4000 })
    expect(mcp.servers.map(({ status }) => status)).toEqual(['failed', 'ready'])
    const running = () => spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout
    await vi.waitUntil(() => !running().includes(mark), { timeout: 20_000 })
  })
  test('dies in a call is an error result, and is started again by the next call', async () => {
    const mcp = await connect({ odd })
    const pid = Number((await call(mcp, 'odd__pid')).value)
    expect(await call(mcp, 'odd__die')).toMatchObject({ status: 'error' })
    expect(isAlive(pid)).toBe(false)
    const again = Number((await call(mcp, 'odd__pid')).value)
    expect(again).not.toBe(pid)
    expect(isAlive(again)).toBe(true)
  })
  test('hangs is a time-out, and is ended', async () => {
    const mcp = await connect({ odd }, { timeout: 2000 })
    const pid = Number((await call(mcp, 'odd__pid')).value)
    expect(await call(mcp, 'odd__hang')).toMatchObject({ status: 'timeout', value: '"odd" did not answer in 2000 ms.' })
    await vi.waitUntil(() => mcp.servers[0]?.status === 'failed', { timeout: 20_000 })
    expect(await call(mcp, 'odd__echo', { text: 'x' })).toMatchObject({ value: 'echo x' })
    await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 })
  })
  test('hangs behind a program that only started it is ended too', async () => {
    const line = [odd.command, ...(odd.args ?? [])].map(word => `'${word}'`).join(' ')
    const mcp = await connect({ odd: { command: 'sh', args: ['-c', `${line}; exit $?`] } }, { timeout: 2000 })
    const pid = Number((await call(mcp, 'odd__pid')).value)
    expect(await call(mcp, 'odd__hang')).toMatchObject({ status: 'timeout' })
    await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 })
  })
  test('hangs over a resource is a time-out, and is ended', async () => {
    const stocked = { ...odd, args: [...(odd.args ?? []), 'Says it again.', 'resources'] }
    const mcp = await connect({ odd: stocked }, { timeout: 2000 })
    const pid = Number((await call(mcp, 'odd__pid')).value)
    const read = await call(mcp, 'read_resource', { server: 'odd', uri: 'odd://hang' })
    expect(read).toMatchObject({ status: 'timeout', value: '"odd" did not answer in 2000 ms.' })
    await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 })
  })
  test('is only slow with one call is not ended', async () => {
    const mcp = await connect({ odd }, { timeout: 2000 })
    const pid = (await call(mcp, 'odd__pid')).value
    expect(await call(mcp, 'odd__sleep')).toMatchObject({ status: 'timeout' })
    expect((await call(mcp, 'odd__pid')).value).toBe(pid)
  })
  test('answers with 100 MB is read from its beginning, and goes on', async () => {
    const mcp = await connect({ odd })
    const pid = (await call(mcp, 'odd__pid')).value
    const { status, value } = await call(mcp, 'odd__huge')
    expect(status).toBe('ok')
    expect(value).toMatch(
      /^begin a{60000,}\n\[cut: the server answered with 104,857,\d+ bytes, the beginning is kept\]$/,
    )
    expect((await call(mcp, 'odd__pid')).value).toBe(pid)
  })
  test('says that it failed and not why is an error result all the same', async () => {
    const mcp = await connect({ odd })
    expect(await call(mcp, 'odd__fail')).toMatchObject({ status: 'error', value: expect.stringContaining('not why') })
  })
  test('writes terminal sequences is read without them', async () => {
    expect((await call(await connect({ odd }), 'odd__evil')).value).toBe('abc')
  })
  test('is started does not see the keys of this program', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sesame')
    const own: McpServer = { ...odd, env: { GIVEN: 'on purpose' } }
    const { value } = await call(await connect({ own }), 'own__environment')
    vi.unstubAllEnvs()
    expect(value).not.toContain('sesame')
    expect(value).toContain('on purpose')
  })
})

test('closing does not wait for a server that hangs over its list of tools, and tells nobody that one is gone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnbuckle-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const asked = join(folder, 'asked')
  const silent = { ...odd, args: [...(odd.args ?? []), 'Says it again.', 'silent', asked] }
  const told: unknown[] = []
  const onChange = () => told.push(mcp.servers.map(({ name, status }) => [name, status]))
  const mcp = await connectMcp({ odd, silent }, { wait: false, connectTimeout: 3_600_000, onChange })
  await vi.waitUntil(() => told.length && existsSync(asked), { timeout: 20_000 })
  await mcp.close()
  const before = [
    ['odd', 'ready'],
    ['silent', 'connecting'],
  ]
  expect(told).toEqual([before])
  expect(mcp.servers).toMatchObject([{ status: 'closed' }, { status: 'closed' }])
})

test('an interrupt ends the wait for a server, and closing ends the server', async () => {
  const mcp = await connectMcp({ odd })
  const pid = Number((await call(mcp, 'odd__pid')).value)
  const agent = createAgent({ model: scriptedModel([{ calls: [{ name: 'odd__sleep' }] }]) })
  mcp.attach(agent)
  const turn = agent.send('go')
  for await (const event of turn) if (event.type === 'tool.executing') turn.interrupt()
  expect((await turn).status).toBe('interrupted')
  await mcp.close()
  expect(isAlive(pid)).toBe(false)
  expect(agent.tools).toEqual([])
  expect(mcp.servers).toMatchObject([{ status: 'closed' }])
})

describe('a tool that changes', () => {
  const script = [
    { calls: [{ name: 'odd__echo', args: { text: 'a' } }] },
    { calls: [{ name: 'odd__change' }] },
    'changed',
    { calls: [{ name: 'odd__echo', args: { text: 'b' } }] },
    'ok',
  ]
  test.each([
    { decision: 'deny', result: { status: 'denied' } },
    { decision: 'allow', result: { status: 'ok', value: 'echo b' } },
  ])('is asked about again: $decision', async ({ decision, result }) => {
    let tell = () => {}
    const told = new Promise<void>(resolve => {
      tell = resolve
    })
    const model = scriptedModel(script)
    const mcp = await connect({ odd }, { onChange: () => tell() })
    const agent = createAgent({ model })
    mcp.attach(agent)
    const chat = agent.conversation()
    await chat.send('one')
    await told
    expect(mcp.changed).toEqual(['odd__echo'])
    const turn = chat.send('two')
    const asked: unknown[] = []
    for await (const event of turn) {
      if (event.type !== 'request.opened') continue
      asked.push(event.payload)
      turn.answer(event.requestId, { decision })
    }
    expect(asked).toMatchObject([{ name: 'odd__echo', tool: { description: 'Sends it to somebody else.' } }])
    expect(resultOf((await turn).messages)).toMatchObject(result)
    expect(model.prompts.at(-1)?.tools.find(({ name }) => name === 'odd__echo')?.description).toBe(
      'Sends it to somebody else.',
    )
    expect(mcp.changed).toEqual(decision === 'allow' ? [] : ['odd__echo'])
  })
  test('between two starts is noticed by what was remembered', async () => {
    const pins = memoryPins()
    await (await connectMcp({ odd }, { pins })).close()
    const later: McpServer = { ...odd, args: [...(odd.args ?? []), 'Something else.'] }
    expect((await connect({ odd: later }, { pins })).changed).toEqual(['odd__echo'])
  })
})
