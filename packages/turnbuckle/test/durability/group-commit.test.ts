import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram } from '../bundle-program.ts'
import { acksOf, bundleMortal, checkTold, groupDeaths, killInGroup, withStore } from './group-kills.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-group-'))
let program = ''
beforeAll(async () => {
  program = await bundleProgram(new URL('./group-child.ts', import.meta.url), 'group-child')
})
afterAll(() => rmSync(program, { force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const start = (path: string, mode: string): ChildProcess =>
  spawn(process.execPath, [program, path, mode, `${path}.acks`], { stdio: ['ignore', 'ignore', 'inherit'] })
const ended = (child: ChildProcess) => new Promise(resolve => child.once('exit', (_code, signal) => resolve(signal)))
test('a process that dies inside a group commit leaves nothing of it', async () => {
  const path = join(folder, 'inside.db')
  expect(await ended(start(path, 'inside'))).toBe('SIGKILL')
  expect(acksOf(path)).toEqual([])
  const there = await withStore(path, async store => (await store.list({ limit: 100 })).map(({ id }) => id))
  expect(there).toEqual(['before'])
})

test('of conversations that talk at the same time nothing told is lost, and no commit is half there', async () => {
  const path = join(folder, 'talk.db')
  for (const acks of [40, 90, 140, 230]) {
    const child = start(path, 'talk')
    const end = ended(child)
    const enough = acksOf(path).length + acks
    while (acksOf(path).length < enough && child.exitCode === null) await new Promise(resolve => setTimeout(resolve, 5))
    child.kill('SIGKILL')
    await end
    await withStore(path, store => checkTold(store, acksOf(path)))
  }
})

test('a kill between write and commit leaves nothing of the group, one before its acknowledgement all of it', async () => {
  const mortal = await bundleMortal(fileURLToPath(new URL('.', import.meta.url)))
  const path = join(folder, 'mortal.db')
  for (const [i, death] of groupDeaths.entries())
    for (const group of [1, 4 + 5 * i]) await killInGroup(mortal, path, death, group)
  rmSync(mortal, { force: true })
})
