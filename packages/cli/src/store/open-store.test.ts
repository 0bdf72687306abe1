import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { TrustFile } from '../settings/trust-file.ts'
import { openStore } from './open-store.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnbuckle-store-')))
  for (const name of ['home', 'project']) mkdirSync(join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function open(user: object, project: object) {
  const home = join(folder, 'home')
  const loaded = { user, project, home, root: join(folder, 'project'), trust: new TrustFile(home), where: () => '' }
  const { store, address, notices } = await openStore(loaded as unknown as LoadedSettings)
  await store.close()
  return { address, notices }
}

test("by default it is a file in the user's folder, named after the project", async () => {
  expect((await open({}, {})).address).toMatch(/^sqlite:.*\/home\/conversations\/project-[0-9a-f]{8}\.db$/)
})

test("the user's folder is made for the user alone: other people of the machine read no conversations", async () => {
  rmSync(join(folder, 'home'), { recursive: true })
  await open({}, {})
  const modes = ['home', 'home/conversations'].map(name => statSync(join(folder, name)).mode & 0o777)
  // Windows knows no such modes: a folder in the profile is the user's own there.
  expect(modes).toEqual(process.platform === 'win32' ? [0o666, 0o666] : [0o700, 0o700])
})

test("where the user's folder cannot be made, the error names it, what is wrong and how to name another", async () => {
  rmSync(join(folder, 'home'), { recursive: true })
  writeFileSync(join(folder, 'home'), 'a file')
  await expect(open({}, {})).rejects.toThrow(
    /^Conversations cannot be kept\. The folder ".*\/home\/conversations" is not there and cannot be made: .*TURNBUCKLE_HOME/,
  )
})

test("a file of the user's settings is relative to the user's folder", async () => {
  expect((await open({ store: 'sqlite:mine.db' }, {})).address).toBe(`sqlite:${folder}/home/mine.db`)
})

test('a database that a project makes here is its own; one that it brings along has to be trusted', async () => {
  const project = { store: 'sqlite:data.db' }
  expect(await open({}, project)).toEqual({ address: `sqlite:${folder}/project/data.db`, notices: [] })
  rmSync(join(folder, 'home/trust.json'))
  expect(existsSync(join(folder, 'project/data.db'))).toBe(true)
  const { address, notices } = await open({ store: 'memory:' }, project)
  expect(address).toBe('memory:')
  expect(notices).toEqual([expect.stringContaining('Not trusted, so not used: sqlite:data.db.')])
})

test.each(['sqlite:../home/x.db', 'sqlite:link/x.db'])('%s lies outside the project', async store => {
  symlinkSync(join(folder, 'home'), join(folder, 'project/link'))
  await expect(open({}, { store })).rejects.toThrow('lies outside the project')
})
