import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from '../../test/run-program.ts'
import { Place, program } from '../../test/terminal.ts'

let place: Place
let server: ChildProcess
beforeEach(() => {
  place = new Place()
})
afterEach(async () => {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill('SIGTERM')
    await once(server, 'close')
  }
  place[Symbol.dispose]()
})

/** Starts `turnbuckle serve`; gives the one line it prints. */
async function serve(env: Readonly<Record<string, string>>, ...more: readonly string[]): Promise<string> {
  server = spawn(process.execPath, [program, 'serve', '--port', '0', ...more], {
    cwd: place.project,
    env: { ...place.env, ...env },
  })
  const { stdout } = server
  if (!stdout) throw new Error('It has no output.')
  for await (const line of createInterface({ input: stdout })) return line
  throw new Error('It ended without a word.')
}

const api =
  (url: string, token: string) =>
  async (method: string, path: string, body?: unknown): Promise<Record<string, never>> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return text ? JSON.parse(text) : {}
  }
type Call = ReturnType<typeof api>

/** A turn that writes a file: the request it opens, if any. */
async function write(call: Call, file: string): Promise<{ id: string } | undefined> {
  const { id } = await call('POST', '/conversations', {})
  const { turnId } = await call('POST', `/conversations/${id}/turns`, { text: `write ${file}: hello` })
  for (;;) {
    const { requests, turns } = (await call('GET', `/conversations/${id}`)) as unknown as {
      requests: { id: string }[]
      turns: { id: string; status: string }[]
    }
    if (requests[0]) return requests[0]
    if (turns.find(turn => turn.id === turnId)?.status !== 'running') return undefined
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
const always = { decision: 'allow', scope: 'always' }

test('prints where it is, in one line; a signal ends it', async () => {
  expect(await serve({ TURNBUCKLE_TOKEN: 'secret' })).toMatch(
    /^Turnbuckle is ready at http:\/\/127\.0\.0\.1:\d+\/#token=secret$/,
  )
  server.kill('SIGTERM')
  const [code] = await once(server, 'close')
  expect(code).toBe(0)
})

test.each([
  { names: '', status: 403, says: 'TURNBUCKLE_HOSTS=' },
  { names: 'box.local, 192.0.2.7', status: 200, says: '' },
])('listening everywhere it answers to the names of TURNBUCKLE_HOSTS: "$names"', async ({ names, status, says }) => {
  const line = await serve({ TURNBUCKLE_TOKEN: 'secret', TURNBUCKLE_HOSTS: names }, '--host', '0.0.0.0')
  const port = /:(\d+)\//.exec(line)?.[1]
  const got = await new Promise<number | undefined>(resolve =>
    get(`http://127.0.0.1:${port}/healthz`, { headers: { host: `box.local:${port}` } }, answer =>
      resolve(answer.resume().statusCode),
    ),
  )
  expect(got).toBe(status)
  server.kill('SIGTERM')
  const err = await text(server.stderr as Readable)
  expect(err.match(/TURNBUCKLE_HOSTS=/)?.[0] ?? '').toBe(says)
})

test('a port that is taken is said, and ends it with 1', async () => {
  const line = await serve({ TURNBUCKLE_TOKEN: 'secret' })
  const port = /:(\d+)\//.exec(line)?.[1] ?? ''
  const { code, err } = await run(place, ['serve', '--port', port])
  expect(err).toBe(`turnbuckle: Port ${port} is taken. Another one: turnbuckle serve --port 0\n`)
  expect(code).toBe(1)
})

test('what one of several people has allowed counts for nobody else', async () => {
  const line = await serve({ TURNBUCKLE_TOKENS: 'alice:one,bob:two' })
  const url = /http:\/\/[^/]+/.exec(line)?.[0] ?? ''
  const [alice, bob] = [api(url, 'one'), api(url, 'two')]
  const request = await write(alice, 'a.txt')
  await alice('POST', `/requests/${request?.id}/answer`, always)
  expect(await write(alice, 'a.txt')).toBeUndefined()
  expect(await write(bob, 'c.txt')).toBeDefined()
  expect(await bob('GET', '/permissions')).toEqual({ permissions: [] })
  expect(await alice('GET', '/permissions')).toMatchObject({ permissions: [{ scope: 'always' }] })
  expect((await run(place, ['permissions', 'list'])).out).toContain('Nothing is allowed')
})

test('what a single person has allowed is what the command line lists', async () => {
  const line = await serve({ TURNBUCKLE_TOKEN: 'secret' })
  const call = api(/http:\/\/[^/]+/.exec(line)?.[0] ?? '', 'secret')
  const request = await write(call, 'a.txt')
  await call('POST', `/requests/${request?.id}/answer`, always)
  expect(await write(call, 'a.txt')).toBeUndefined()
  expect((await run(place, ['permissions', 'list'])).out).toContain('allow write_file(a.txt)  always')
})

test('people of the settings have their roles; audit tells who did what', async () => {
  const people = {
    alice: { token: 'one', role: 'owner' },
    bob: { token: 'two' },
    eve: { token: 'three', role: 'viewer' },
  }
  writeFileSync(join(place.home, 'config.json'), JSON.stringify({ people }))
  const line = await serve({})
  const url = /http:\/\/[^/]+/.exec(line)?.[0] ?? ''
  expect(line).toContain('#token=one')
  const [alice, bob, eve] = [api(url, 'one'), api(url, 'two'), api(url, 'three')]
  expect([await bob('GET', '/me'), await eve('GET', '/me')]).toEqual([
    { name: 'bob', role: 'member' },
    { name: 'eve', role: 'viewer' },
  ])
  const request = await write(bob, 'a.txt')
  expect(await bob('POST', `/requests/${request?.id}/answer`, always)).toMatchObject({
    error: { code: 'role.missing' },
  })
  await bob('POST', `/requests/${request?.id}/answer`, { decision: 'deny' })
  await alice('POST', '/people', { name: 'carl', role: 'member' })
  const { out } = await run(place, ['audit'])
  expect(out.split('\n')).toEqual([
    expect.stringMatching(/ {2}alice {2}person\.made {2}carl {2}member$/),
    expect.stringMatching(/ {2}bob {2}answered {2}write_file {2}deny {2}conv_/),
    '',
  ])
})
