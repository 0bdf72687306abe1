import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { served } from './served.ts'
import { Place, Terminal } from './terminal.ts'

let place: Place
beforeEach(() => {
  place = new Place()
  place.putHome('config.json', JSON.stringify({ model: 'offline', permissions: { allow: ['*'] } }))
  place.put('stubborn.mjs', stubborn)
})
afterEach(() => {
  if (hasBegun() && isRunning()) process.kill(pid(), 'SIGKILL')
  place[Symbol.dispose]()
})

/** A program that signals do not end, and that says which process it is. */
const stubborn = `
import { writeFileSync } from 'node:fs'
for (const signal of ['SIGHUP', 'SIGTERM', 'SIGINT']) process.on(signal, () => {})
setInterval(() => {}, 1000)
writeFileSync('pid.txt', String(process.pid))`
const command = 'node stubborn.mjs'
const pid = () => Number(readFileSync(join(place.project, 'pid.txt'), 'utf8'))
const isRunning = () => {
  try {
    process.kill(pid(), 0)
    // A zombie is gone but for its parent, which may not have looked yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid()}/status`, 'utf8'))
  } catch {
    return false
  }
}
const hasBegun = () => existsSync(join(place.project, 'pid.txt')) && pid() > 0

test.each([
  { what: 'chat', args: ['chat'], keys: `run ${command}\r` },
  { what: 'chat --plain', args: ['chat', '--plain'], keys: `run ${command}\r` },
  { what: 'run', args: ['run', `run ${command}`, '--yes'], keys: '' },
])('$what: a terminal that is closed ends the commands of tools', async ({ args, keys }) => {
  using terminal = new Terminal(place, args)
  if (keys) await terminal.see(/Say something|Ready/)
  terminal.type(keys)
  await expect.poll(hasBegun, { timeout: 20_000 }).toBe(true)
  expect(isRunning()).toBe(true)
  // Closing the terminal is a SIGHUP for its session.
  terminal.kill('SIGHUP')
  expect(await terminal.exit).toBe(129)
  await expect.poll(isRunning, { timeout: 20_000 }).toBe(false)
})

test.each(['SIGHUP', 'SIGTERM'] as const)('serve: %s ends the commands of tools', async signal => {
  const server = await served(place, [])
  const { id } = await server.post('/api/conversations', {})
  await server.post(`/api/conversations/${id}/turns`, { text: `run ${command}` })
  await expect.poll(hasBegun, { timeout: 20_000 }).toBe(true)
  server.process.kill(signal)
  await once(server.process, 'close')
  await expect.poll(isRunning, { timeout: 20_000 }).toBe(false)
})
