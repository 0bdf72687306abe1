import { expect, onTestFinished, test } from 'vitest'
import { asked, chatting, prompt } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'
import { run } from './run-program.ts'
import { served } from './served.ts'

const chat = chatting()
const model = ['--model', 'compatible/fake']

test.each([429, 500, 503])(
  'a provider that answers %i is asked again, after a countdown that one sees',
  async status => {
    using provider = new FakeProvider()
    const terminal = await chat.start(model, { env: await provider.listen() })
    terminal.type('hello\r')
    ;(await provider.next()).refuse(status, 'Slow down.', { 'retry-after': '1' })
    await terminal.see(`answered ${status}: Slow down. It is tried again.`)
    await terminal.see(/● again in [01] s \(attempt 2\)/)
    const second = await provider.next()
    second.say('Here I am.')
    second.end()
    await terminal.see(/Here I am\.[\s\S]*Say something/)
  },
)

test('a connection that is cut is called that, and the reply asked for again', async () => {
  using provider = new FakeProvider()
  const terminal = await chat.start(model, { env: await provider.listen() })
  terminal.type('hello\r')
  const first = await provider.next()
  first.say('Half a')
  await terminal.see('Half a')
  first.cut()
  const shown = await terminal.see(/The connection to compatible\/fake was cut: [^.]+\.\s+It\s+is\s+tried\s+again\./)
  expect(shown).not.toMatch(/answered 200|Failed to process/)
  const second = await provider.next()
  second.say('The whole.')
  second.end()
  await terminal.see(/The whole\.[\s\S]*Say something/)
})

test('a reply whose connection is cut for good is marked as cut off, not as interrupted', async () => {
  using provider = new FakeProvider()
  chat.place.configure({ retry: { times: 0 } })
  const terminal = await chat.start(model, { env: await provider.listen() })
  terminal.type('hello\r')
  const only = await provider.next()
  only.say('Half a')
  await terminal.see('Half a')
  only.cut()
  await terminal.see(/Half a\n… cut off\n\nFailed: The connection to compatible\/fake was cut[\s\S]*Say something/)
  expect(terminal.text()).not.toMatch(/interrupted/i)
})

test('a provider that falls silent is given up after the time of the settings', async () => {
  using provider = new FakeProvider()
  chat.place.configure({ idleTimeoutMs: 200, retry: { times: 0 } })
  const terminal = await chat.start(model, { env: await provider.listen() })
  terminal.type('hello\r')
  ;(await provider.next()).say('Half a')
  await terminal.see(/was silent for 200 ms[\s\S]*Say something/)
})

/** Says half a sentence to each request, and then only keeps the connection open. */
async function stall(provider: FakeProvider, timers: Set<NodeJS.Timeout>): Promise<void> {
  for (;;) {
    const call = await provider.next()
    call.say('Half a')
    timers.add(setInterval(() => call.keepAlive(), 20))
  }
}

test('run gives up a provider that stalls behind keep-alives, after its retries', async () => {
  using provider = new FakeProvider()
  const timers = new Set<NodeJS.Timeout>()
  onTestFinished(() => timers.forEach(timer => void clearInterval(timer)))
  chat.place.configure({ idleTimeoutMs: 200, retry: { times: 1 } })
  const env = await provider.listen()
  void stall(provider, timers)
  const { code, out, err } = await run(chat.place, ['run', 'hello', ...model], { env })
  expect([code, out, timers.size]).toEqual([1, 'Half a\n', 2])
  expect(err).toContain('failed by model: The model call was silent for 200 ms.')
})

test('serve gives it up too', async () => {
  using provider = new FakeProvider()
  const timers = new Set<NodeJS.Timeout>()
  onTestFinished(() => timers.forEach(timer => void clearInterval(timer)))
  chat.place.configure({ idleTimeoutMs: 200, retry: { times: 0 } })
  const server = await served(chat.place, model, await provider.listen())
  void stall(provider, timers)
  const { id } = await server.post('/api/conversations', {})
  await server.post(`/api/conversations/${id}/turns`, { text: 'hello' })
  const ended = await server.event(id, 'turn.failed')
  expect(ended).toMatchObject({ by: 'model', reason: 'The model call was silent for 200 ms.' })
})

test('a provider that asks for a wait of more than a minute is not waited for, and that is said', async () => {
  using provider = new FakeProvider()
  const running = run(chat.place, ['run', 'hello', ...model], { env: await provider.listen() })
  ;(await provider.next()).refuse(429, 'Slow down.', { 'retry-after': '3600' })
  const { code, err } = await running
  expect(code).toBe(1)
  expect(err).toMatch(
    /answered 429: Slow down\. It asks to be asked again in 60 minutes, which is longer than a turn waits\./,
  )
})

test('a refused key is not tried again, and run says it on standard error alone', async () => {
  using provider = new FakeProvider()
  const env = await provider.listen()
  const running = run(chat.place, ['run', 'hello', ...model], { env })
  ;(await provider.next()).refuse(401, 'No.')
  const { code, out, err } = await running
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/answered 401: No\. Check the API key\./)
})

test('one hung MCP server does not hold the first screen; who is missing is shown', async () => {
  chat.place.putHome(
    'config.json',
    JSON.stringify({
      mcpServers: { slow: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] } },
    }),
  )
  const terminal = await chat.start()
  await terminal.see('connecting to slow')
  terminal.type('what is 1+1\r')
  await terminal.see('1+1 is 2.')
  terminal.type('\x04')
  expect(await terminal.exit).toBe(0)
})

test('run does not wait for a hung MCP server, and says who is missing', async () => {
  const slow = {
    command: process.execPath,
    args: ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'],
  }
  chat.place.putHome('config.json', JSON.stringify({ mcpServers: { slow } }))
  const { code, out, err } = await run(chat.place, ['run', 'what is 1+1'])
  expect([code, out]).toEqual([0, '1+1 is 2.\n'])
  expect(err).toContain('The MCP server "slow" is not connected yet')
})

test('the cost that is known stays when a turn is interrupted', async () => {
  using provider = new FakeProvider()
  chat.place.putHome('config.json', '{}')
  const terminal = await chat.start(model, { env: await provider.listen() })
  terminal.type('hello\r')
  const first = await provider.next()
  first.say('One.')
  first.end({ input: 1000, output: 1000 })
  await terminal.see(/One\.[\s\S]*Say something[\s\S]*2\.0k tokens/)
  terminal.type('again\r')
  const second = await provider.next()
  second.say('Two')
  await terminal.see(/Two[\s\S]*● writing/)
  terminal.type('\x1b\x1b')
  await terminal.see(/Interrupted[\s\S]*Say something[\s\S]*2\.0k tokens/)
  await terminal.see(prompt)
})

test('a conversation that is opened again shows what it has taken so far; going on with a turn counts nothing twice', async () => {
  using provider = new FakeProvider()
  const env = await provider.listen()
  const first = await chat.start(model, { env })
  first.type('hello\r')
  const one = await provider.next()
  one.say('One.')
  one.end({ input: 1000, output: 1000 })
  await first.see(/One\.[\s\S]*Say something[\s\S]*context 1\.0k · 2\.0k tokens/)
  first.type('again\r')
  const two = await provider.next()
  two.say('Half')
  await first.see(/Half[\s\S]*● writing/)
  first.kill('SIGKILL')
  await first.exit
  const second = chat.open([...model, '--continue'], { env })
  await asked(second, /did not end[\s\S]*context 1\.0k · 2\.0k tokens/)
  second.type('y')
  const three = await provider.next()
  three.say('Whole.')
  three.end({ input: 2000, output: 1000 })
  await second.see(/Whole\.[\s\S]*Say something[\s\S]*context 2\.0k · 5\.0k tokens/)
  second.type('\x04')
  await second.exit
  const third = await chat.start([...model, '--continue'], { env })
  await third.see(/Say something[\s\S]*context 2\.0k · 5\.0k tokens/)
})
