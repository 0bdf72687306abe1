import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findSandbox } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from './run-program.ts'
import { Place } from './terminal.ts'

/** The sandbox of this machine, if it has one: each test says what holds with it and what without. */
const found = await findSandbox()
const confined = found.kind !== 'none'
const missing = 'There is no sandbox for shell commands'

let place: Place
let other: Place
beforeEach(() => {
  place = new Place()
  other = new Place()
  place.putHome('config.json', JSON.stringify({ model: 'offline', permissions: { allow: ['*'] } }))
  const outside = join(other.project, 'outside')
  place.put('try.sh', `echo x > inside\necho x > ${outside}\ncat ${place.home}/config.json\n`)
})
afterEach(() => {
  place[Symbol.dispose]()
  other[Symbol.dispose]()
})
test('a command of the program writes in the project, and reads no keys; without a sandbox the program says so, once', async () => {
  const { out, err } = await run(place, ['run', 'run sh try.sh', '--yes'])
  expect(readFileSync(join(place.project, 'inside'), 'utf8')).toBe('x\n')
  expect(existsSync(join(other.project, 'outside'))).toBe(!confined)
  expect(out.includes('permissions')).toBe(!confined)
  expect(err.split(missing).length - 1).toBe(confined ? 0 : 1)
})

test('the person switches it off in their own file, and nothing is said', async () => {
  const settings = { model: 'offline', permissions: { allow: ['*'] }, sandbox: { enabled: false } }
  place.putHome('config.json', JSON.stringify(settings))
  const { err } = await run(place, ['run', 'run sh try.sh', '--yes'])
  expect(existsSync(join(other.project, 'outside'))).toBe(true)
  expect(err).not.toContain(missing)
})

test('a project that switches it off is an error of its settings', async () => {
  place.configure({ sandbox: { enabled: false } })
  const { code, err } = await run(place, ['run', 'run true', '--yes'])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('a project may not switch the sandbox off') })
})

test('a project that requires one has its commands run in it or not at all', async () => {
  place.configure({ sandbox: { required: true } })
  const { out } = await run(place, ['run', 'run echo r""an', '--yes'])
  expect(out.includes('ran')).toBe(confined)
  expect(out.includes('Commands run only in a sandbox here')).toBe(!confined)
})

test('doctor tells which sandbox there is, or why none, and is content with either', async () => {
  const { code, out } = await run(place, ['doctor'])
  expect(out).toContain(found.kind === 'none' ? `No sandbox for shell commands: ${found.reason}` : found.program)
  expect(code).toBe(0)
})
