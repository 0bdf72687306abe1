import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
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
  for (const pid of pids()) process.kill(pid, 'SIGKILL')
  place[Symbol.dispose]()
})

/** A program that signals do not end. */
const stubborn = `
import { writeFileSync } from 'node:fs'
for (const signal of ['SIGHUP', 'SIGTERM', 'SIGINT']) process.on(signal, () => {})
setInterval(() => {}, 1000)
writeFileSync('begun.txt', 'yes')`
const command = () => `node ${place.project}/stubborn.mjs`
const hasBegun = () => existsSync(join(place.project, 'begun.txt'))
/** Processes of the program, told by its path: in a sandbox it does not know its own number outside. */
const pids = () => {
  const rows = spawnSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).stdout.split('\n')
  // A zombie is gone but for its parent, which may not have looked yet.
  const running = rows.filter(row => row.endsWith(`node ${place.project}/stubborn.mjs`) && !/^ *\d+ +Z/.test(row))
  return running.map(row => Number.parseInt(row, 10))
}
const isRunning = () => pids().length > 0

test.each([
  { what: 'chat', args: () => ['chat'], typed: () => `run ${command()}` },
  { what: 'chat, !command', args: () => ['chat'], typed: () => `!${command()}` },
  { what: 'chat --plain', args: () => ['chat', '--plain'], typed: () => `run ${command()}` },
  { what: 'run', args: () => ['run', `run ${command()}`, '--yes'], typed: () => '' },
])('$what: a terminal that is closed ends the commands that run', async ({ args, typed }) => {
  using terminal = new Terminal(place, args())
  if (typed()) {
    await terminal.see(/Say something|Ready/)
    terminal.type(`${typed()}\r`)
  }
  await expect.poll(hasBegun).toBe(true)
  expect(isRunning()).toBe(true)
  // Closing the terminal is a SIGHUP for its session.
  terminal.kill('SIGHUP')
  expect(await terminal.exit).toBe(129)
  await expect.poll(isRunning).toBe(false)
})

test.each(['SIGHUP', 'SIGTERM'] as const)('serve: %s ends the commands of tools', async signal => {
  const server = await served(place, [])
  const { id } = await server.post('/api/conversations', {})
  await server.post(`/api/conversations/${id}/turns`, { text: `run ${command()}` })
  await expect.poll(hasBegun).toBe(true)
  server.process.kill(signal)
  await once(server.process, 'close')
  await expect.poll(isRunning).toBe(false)
})
