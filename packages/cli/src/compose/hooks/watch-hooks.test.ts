import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSettings } from '../../settings/load-settings.ts'
import { composeAgent } from '../compose-agent.ts'
import { watchHooks } from './watch-hooks.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'turnbuckle-watch-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}
const hook = (from: string) =>
  `import { middleware, stop } from 'turnbuckle'\nimport { why } from '${from}'\nexport default middleware({ name: 'own', beforeTurn: () => stop(why) })`
const why = (text: string) => `export const why = '${text}'`

/** What the watcher tells, one after the other, and what a turn says then. */
async function watched() {
  put('config.json', '{ "middleware": [{ "use": "./hooks/own.ts" }], "store": "memory:" }')
  const loaded = await loadSettings({ cwd: home, env: { TURNBUCKLE_HOME: home } })
  const composed = await composeAgent(loaded, { model: 'offline' })
  const told: string[] = []
  let wake = () => {}
  const tell = (text: string) => {
    told.push(text)
    wake()
  }
  const stop = watchHooks(composed, {
    idle: async () => {},
    trust: async () => true,
    reloaded: () => tell('reloaded'),
    kept: (_, message) => tell(message),
  })
  return {
    async next() {
      while (!told.length) await new Promise<void>(resolve => (wake = resolve))
      return told.shift()
    },
    reason: async () => (await composed.agent.send('Go.')).reason,
    async [Symbol.asyncDispose]() {
      stop()
      await composed.close()
    },
  }
}

test('what a hook imports is watched wherever it is, also when it has moved', async () => {
  put('hooks/own.ts', hook('../words/a.ts'))
  put('words/a.ts', why('one'))
  await using hooks = await watched()
  put('words/a.ts', why('two'))
  expect(await hooks.next()).toBe('reloaded')
  put('far/away/b.ts', why('three'))
  put('hooks/own.ts', hook('../far/away/b.ts'))
  expect(await hooks.next()).toBe('reloaded')
  expect(await hooks.reason()).toBe('three')
  put('far/away/b.ts', why('four'))
  expect(await hooks.next()).toBe('reloaded')
  expect(await hooks.reason()).toBe('four')
})

test('one that is broken keeps the old, is told once, and is used as soon as what is missing is there', async () => {
  put('hooks/own.ts', hook('./a.ts'))
  put('hooks/a.ts', why('one'))
  await using hooks = await watched()
  put('hooks/own.ts', hook('../new/b.ts'))
  expect(await hooks.next()).toContain('Could not resolve "../new/b.ts"')
  expect(await hooks.reason()).toBe('one')
  put('new/b.ts', why('two'))
  expect(await hooks.next()).toBe('reloaded')
  expect(await hooks.reason()).toBe('two')
})

test('a folder that another one has taken the place of is watched again', async () => {
  put('hooks/own.ts', hook('./a.ts'))
  put('hooks/a.ts', why('one'))
  await using hooks = await watched()
  put('other/own.ts', hook('./a.ts'))
  put('other/a.ts', why('two'))
  renameSync(join(home, 'hooks'), join(home, 'gone'))
  renameSync(join(home, 'other'), join(home, 'hooks'))
  while ((await hooks.next()) !== 'reloaded');
  put('hooks/a.ts', why('three'))
  expect(await hooks.next()).toBe('reloaded')
  expect(await hooks.reason()).toBe('three')
})
