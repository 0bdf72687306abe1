import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Client, createClient } from 'turnbuckle/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeProvider } from './fake-provider.ts'
import { Place, program } from './terminal.ts'

let place: Place
let server: ChildProcess
beforeEach(() => {
  place = new Place()
})
const stop = async () => {
  if (server.exitCode !== null) return
  server.kill('SIGTERM')
  await once(server, 'close')
}
afterEach(async () => {
  await stop()
  place[Symbol.dispose]()
})

/** Starts `turnbuckle serve`; gives a client of it. */
async function serve(): Promise<Client> {
  server = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    cwd: place.project,
    env: { ...place.env, TURNBUCKLE_TOKEN: 'secret' },
  })
  if (!server.stdout) throw new Error('It has no output.')
  for await (const line of createInterface({ input: server.stdout }))
    return createClient({ url: /http:\/\/[^/]+/.exec(line)?.[0] ?? '', token: 'secret' })
  throw new Error('It ended without a word.')
}

test('a provider is connected in the browser: tried, kept, used by the next turn, and still there after a restart', async () => {
  using provider = new FakeProvider()
  const { COMPATIBLE_BASE_URL: address = '' } = await provider.listen()
  const client = await serve()
  expect(await client.models()).toEqual({ default: 'offline', models: [{ id: 'offline', offline: true }] })
  const trial = { key: 'sk-wrong', address, model: 'compatible/fake' }
  const refused = client.testProvider('compatible', trial)
  ;(await provider.next()).refuse(401, 'Wrong key: sk-wrong')
  expect(await refused).toEqual({
    works: false,
    model: 'compatible/fake',
    problem: expect.stringContaining('401: Wrong key: (the key)'),
  })
  const tried = client.testProvider('compatible', { ...trial, key: 'sk-right' })
  const first = await provider.next()
  first.say('ok')
  first.end()
  expect(await tried).toEqual({ works: true, model: 'compatible/fake' })
  const told = await client.changeSettings({
    env: { COMPATIBLE_BASE_URL: address, COMPATIBLE_API_KEY: 'sk-right' },
    model: 'compatible/fake',
    params: { temperature: 0.25 },
  })
  expect(told.env.COMPATIBLE_API_KEY).toEqual({ set: true, from: 'user' })
  expect(JSON.stringify(told)).not.toContain('sk-')
  const file = join(place.home, 'config.json')
  expect(JSON.parse(readFileSync(file, 'utf8')).env.COMPATIBLE_API_KEY).toBe('sk-right')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { id } = await client.createConversation()
  await client.send(id, { text: 'Hello' })
  const turn = await provider.next()
  expect(turn.body).toMatchObject({ model: 'fake', temperature: 0.25 })
  turn.end()
  await client.changeConversation(id, { params: { temperature: 1 }, instructions: 'Only rhymes.' })
  await stop()
  const again = await serve()
  expect((await again.models()).default).toBe('compatible/fake')
  await again.send(id, { text: 'More' })
  const second = await provider.next()
  expect(second.body).toMatchObject({ temperature: 1 })
  expect(JSON.stringify(second.body.messages[0])).toContain('Only rhymes.')
  second.end()
  client.close()
  again.close()
})
