import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSettings } from './load-settings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-load-'))
  for (const name of ['home', 'project']) mkdirSync(join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const put = (path: string, text: string) => writeFileSync(join(folder, path), text)
const load = (env: NodeJS.ProcessEnv = {}, ask?: () => Promise<boolean>) =>
  loadSettings({
    cwd: join(folder, 'project'),
    env: Object.assign(env, { TURNBUCKLE_HOME: join(folder, 'home') }),
    ask,
  })

test('without files the settings are empty', async () => {
  expect(await load()).toMatchObject({ user: {}, project: {}, files: [], refused: [] })
})

test("the keys of the user's file go into the environment, under those it has", async () => {
  put('home/config.json', '{ "env": { "A": "file", "B": "file" } }')
  const env = { A: 'own' }
  await load(env)
  expect(env).toMatchObject({ A: 'own', B: 'file' })
})

test('two settings files in a project are one too many', async () => {
  put('project/turnbuckle.config.json', '{}')
  put('project/turnbuckle.config.ts', 'export default {}')
  await expect(load()).rejects.toThrow('There are turnbuckle.config.json and turnbuckle.config.ts: keep one.')
})

test('settings that are code run when they are trusted, and are left out when not', async () => {
  put('project/turnbuckle.config.ts', 'export default { model: "offline" }')
  expect(await load()).toMatchObject({ project: {}, refused: [{ name: 'turnbuckle.config.ts' }] })
  expect(await load({}, async () => true)).toMatchObject({ project: { model: 'offline' }, refused: [] })
  expect(await load()).toMatchObject({ project: { model: 'offline' } })
})

test('settings that are code need a default export', async () => {
  put('project/turnbuckle.config.ts', 'export const model = "offline"')
  await expect(load({}, async () => true)).rejects.toThrow('must have the settings as its default export')
})
