import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceFile } from './replace-file.ts'
import { walk } from './walk.ts'
import { workspace } from './workspace.ts'

let top: string
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'walk-'))
  await mkdir(join(top, 'root', 'src', 'deep'), { recursive: true })
  await mkdir(join(top, 'out', 'deep'), { recursive: true })
  await writeFile(join(top, 'root', 'src', 'deep', 'ours'), '')
  await writeFile(join(top, 'out', 'deep', 'secret'), '')
})
afterEach(() => rm(top, { recursive: true }))

async function listed(begin: string, swapAt: string): Promise<string[]> {
  const space = workspace(join(top, 'root'))
  const names: string[] = []
  for await (const { path } of walk(space, await space.locate(begin), AbortSignal.timeout(10_000))) {
    names.push(space.name(path))
    if (!path.endsWith(swapAt)) continue
    await rename(join(top, 'root', 'src'), join(top, 'aside'))
    await symlink(join(top, 'out'), join(top, 'root', 'src'))
  }
  return names
}

// Elsewhere a folder cannot be held open by its name.
test.runIf(process.platform === 'linux').each([
  ['.', 'src', ['src']],
  ['.', 'deep', ['src', 'src/deep']],
  ['src', 'deep', ['src/deep']],
])('from %s, a link that takes the place of a folder after %s was listed is not followed', async (begin, at, names) =>
  expect(await listed(begin, at)).toEqual(names),
)

test('without such a link the same walk goes down', async () =>
  expect(await listed('.', 'no such folder')).toEqual(['src', 'src/deep', 'src/deep/ours']))

test('what lies too deep is neither made nor listed', async () => {
  const space = workspace(join(top, 'root'))
  const deep = (folders: number) => replaceFile(space, `${'d/'.repeat(folders)}file`, 100, () => 'x')
  await deep(100)
  for (const folders of [101, 2500]) await expect(deep(folders)).rejects.toMatchObject({ code: 'path.deep' })
  await mkdir(join(top, 'root', 'd/'.repeat(300)), { recursive: true })
  const names = await listed('.', 'no such folder')
  expect(names.filter(name => name.startsWith('d'))).toHaveLength(102)
})

test('a walk through one large folder lets others have their turn, and ends when it is cancelled', async () => {
  const space = workspace(join(top, 'root'))
  await Promise.all(Array.from({ length: 500 }, (_, i) => writeFile(join(top, 'root', `f${i}`), '')))
  const cancelling = new AbortController()
  let seen = 0
  const walking = async () => {
    for await (const _ of walk(space, await space.locate('.'), cancelling.signal))
      if (seen++ === 0) setImmediate(() => cancelling.abort())
  }
  await expect(walking()).rejects.toThrow('abort')
  expect(seen).toBeLessThan(500)
})
