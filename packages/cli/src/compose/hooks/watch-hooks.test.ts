import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSettings } from '../../settings/load-settings.ts'
import { composeAgent } from '../compose-agent.ts'
import { type HookNews, watchHooks } from './watch-hooks.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'turnbuckle-watch-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Saves a file in one step: nobody reads half of it. */
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, 'half.tmp'), text)
  renameSync(join(home, 'half.tmp'), join(home, path))
}
const hook = (from: string) =>
  `import { middleware, stop } from 'turnbuckle'\nimport { why } from '${from}'\nexport default middleware({ name: 'own', beforeTurn: () => stop(why) })`
const why = (text: string) => `export const why = '${text}'`

/** What the watcher tells, one after the other, and what a turn says then. */
async function watched(trust: HookNews['trust'] = async () => true, cwd = '.') {
  const middleware = '"middleware": [{ "use": "./hooks/own.ts" }]'
  put('config.json', `{ ${cwd === '.' ? `${middleware}, ` : ''}"store": "memory:" }`)
  if (cwd !== '.') put(`${cwd}/turnbuckle.config.json`, `{ ${middleware} }`)
  const options = { cwd: join(home, cwd), env: { TURNBUCKLE_HOME: home } }
  const loaded = await loadSettings(options)
  const composed = await composeAgent(loaded, { model: 'offline', ask: async () => true })
  const told: string[] = []
  let wake = () => {}
  const tell = (text: string) => {
    told.push(text)
    wake()
  }
  const stop = watchHooks(composed, {
    idle: async () => {},
    trust,
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

test('a question about a save goes when the file is saved again, and the new content is asked about', async () => {
  put('project/hooks/own.ts', hook('./a.ts'))
  put('project/hooks/a.ts', why('one'))
  const asked: string[] = []
  const answers: HookNews['trust'][] = [
    (_item, saved) => {
      put('project/hooks/a.ts', why('three'))
      return new Promise(resolve => saved.addEventListener('abort', () => resolve(false)))
    },
    async () => true,
  ]
  const trust: HookNews['trust'] = (item, saved) => {
    asked.push(item.hash)
    return answers.shift()?.(item, saved) ?? Promise.resolve(false)
  }
  await using hooks = await watched(trust, 'project')
  put('project/hooks/a.ts', why('two'))
  expect(await hooks.next()).toBe('reloaded')
  expect([new Set(asked).size, await hooks.reason()]).toEqual([2, 'three'])
})
