import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from './run-program.ts'
import { Place } from './terminal.ts'

let place: Place
beforeEach(() => {
  place = new Place()
})
afterEach(() => place[Symbol.dispose]())

describe('a project', () => {
  const hook = `import { middleware } from 'turnbuckle'
import { writeFileSync } from 'node:fs'
import { word } from './word.ts'
writeFileSync('ran.txt', word)
export default middleware({ name: 'own', beforeTurn: (ctx) => { writeFileSync('turn.txt', word) } })`

  beforeEach(() => {
    place.put('hooks/own.ts', hook)
    place.put('hooks/word.ts', `export const word: string = 'first'`)
    place.configure({ middleware: [{ use: './hooks/own.ts' }] })
  })
  const ran = () => existsSync(join(place.project, 'ran.txt'))

  test('runs no hook that was not trusted, and says so', async () => {
    const { code, err } = await run(place, ['run', 'what is 1+1'])
    expect(code).toBe(0)
    expect(err).toContain('Not trusted, so not used: ./hooks/own.ts')
    expect((await run(place, ['hooks', 'list'])).out).toMatch(/⊘ \.\/hooks\/own\.ts +not trusted \(project\)/)
    expect(ran()).toBe(false)
  })

  test('runs a trusted hook', async () => {
    expect((await run(place, ['hooks', 'trust', '--yes'])).out).toContain('Trusted.')
    await run(place, ['run', 'what is 1+1'])
    expect(readFileSync(join(place.project, 'turn.txt'), 'utf8')).toBe('first')
    expect((await run(place, ['hooks', 'list'])).out).toMatch(/● own .*\.\/hooks\/own\.ts \(project\)/)
  })

  test('has to be trusted again when a file that a hook imports has changed', async () => {
    await run(place, ['hooks', 'trust', '--yes'])
    place.put('hooks/word.ts', `export const word: string = 'second'`)
    expect((await run(place, ['run', 'what is 1+1'])).err).toContain('Not trusted')
    expect(existsSync(join(place.project, 'turn.txt'))).toBe(false)
  })

  test('is not trusted without a terminal and without --yes', async () => {
    const { code, err } = await run(place, ['hooks', 'trust'])
    expect(code).toBe(2)
    expect(err).toContain('no terminal')
  })

  test('settings that are code are not run either', async () => {
    place.configure({})
    rmSync(join(place.project, 'turnbuckle.config.json'))
    place.put(
      'turnbuckle.config.ts',
      `import { writeFileSync } from 'node:fs'\nwriteFileSync('ran.txt', '')\nexport default { model: 'offline' }`,
    )
    expect((await run(place, ['run', 'what is 1+1'])).err).toContain('Not trusted, so not used: turnbuckle.config.ts')
    expect(ran()).toBe(false)
    await run(place, ['hooks', 'trust', '--yes'])
    expect(ran()).toBe(true)
  })

  test('a middleware is switched off, and stays off', async () => {
    place.configure({ middleware: [{ use: 'step-limit', options: { max: 1 } }] })
    expect((await run(place, ['hooks', 'disable', 'step-limit'])).code).toBe(0)
    expect((await run(place, ['run', 'what is 1+1'])).code).toBe(0)
    await run(place, ['hooks', 'enable', 'step-limit'])
    expect((await run(place, ['run', 'what is 1+1'])).code).toBe(3)
  })

  test('a time limit of the settings stands in the place of the one that is always there', async () => {
    const nets = async () => (await run(place, ['hooks', 'list'])).out.match(/^.*\b(trim|timeout)\b.*$/gm)
    expect(await nets()).toHaveLength(2)
    const middleware = [{ use: 'timeout', options: { idle: 300 } }]
    place.configure({ model: 'compatible/slow', retry: { times: 0 }, middleware })
    expect(await nets()).toHaveLength(2)
    const silent = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': still here\n\n')
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const env = { COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}`, COMPATIBLE_API_KEY: 'x' }
    const { code, err } = await run(place, ['run', 'hello'], { env })
    silent.closeAllConnections()
    silent.close()
    expect([code, err]).toEqual([1, expect.stringContaining('silent for 300 ms')])
  })

  test('cannot allow what the user has not', async () => {
    place.configure({ permissions: { allow: ['*'] } })
    await run(place, ['run', 'write a.txt: hello'])
    expect(existsSync(join(place.project, 'a.txt'))).toBe(false)
  })

  test('can forbid what the user allows', async () => {
    writeFileSync(join(place.home, 'config.json'), '{ "permissions": { "allow": ["*"] } }')
    place.configure({ permissions: { deny: ['write_file'] } })
    await run(place, ['run', 'write a.txt: hello', '--yes'])
    expect(existsSync(join(place.project, 'a.txt'))).toBe(false)
  })

  test('cannot bring conversations that nobody has trusted', async () => {
    place.configure({ store: 'sqlite:talk.db' })
    place.put('talk.db', '')
    expect((await run(place, ['list'])).err).toContain('Not trusted, so not used: sqlite:talk.db')
  })
})
