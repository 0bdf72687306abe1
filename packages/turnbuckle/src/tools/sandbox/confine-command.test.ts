import { chmodSync, existsSync, readlinkSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { confineCommand, type SandboxOptions } from './confine-command.ts'

let base: string
let root: string
let git: string
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'turnbuckle-')))
  root = join(base, 'work')
  git = join(root, '.git')
  await mkdir(join(git, 'hooks'), { recursive: true })
  for (const folder of [base, root, git]) await chown(folder, owner, process.getgid?.() ?? 0)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const folder of [root, git]) chmodSync(folder, 0o755)
  await rm(base, { recursive: true, force: true })
})

const isRoot = process.getuid?.() === 0
/** To root the rights of a folder mean nothing. */
const owner = isRoot ? 65_534 : (process.getuid?.() ?? 0)
async function asOwner<Result>(work: () => Promise<Result>): Promise<Result> {
  if (isRoot) process.seteuid?.(owner)
  try {
    return await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

const confined = (options: SandboxOptions = {}) =>
  confineCommand(
    { kind: 'bubblewrap', program: '/usr/bin/bwrap' },
    { program: '/bin/sh', args: [], env: {}, cwd: root, root },
    options,
  )

test.each(['config', 'config.worktree', 'commondir'])(
  'a file %s that a command made in .git is gone with it, also where it took the rights to the folders away',
  async name => {
    const { release } = await confined()
    await writeFile(join(git, name), '../evil')
    await chmod(git, 0o555)
    await chmod(root, 0)
    await asOwner(release)
    expect(existsSync(join(git, name))).toBe(false)
  },
)

test('a file that cannot be taken away is told, and the proxy ends all the same', async () => {
  vi.stubEnv('TMPDIR', base)
  const { release } = await asOwner(() => confined({ network: ['example.org'] }))
  await mkdir(join(git, 'commondir/deep'), { recursive: true })
  await writeFile(join(git, 'commondir/deep/file'), '')
  await chmod(join(git, 'commondir/deep'), 0o555)
  await chown(join(git, 'commondir/deep'), owner, process.getgid?.() ?? 0)
  await expect(asOwner(release)).rejects.toMatchObject({
    code: 'sandbox.left',
    message: expect.stringContaining(join(git, 'commondir')),
  })
  expect(await readdir(base)).toEqual(['work'])
})

test('a link to settings of git is put back that a command exchanged', async () => {
  await writeFile(join(base, 'settings'), 'ours')
  await symlink('../../settings', join(git, 'config'))
  const { release } = await confined()
  await rm(join(git, 'config'))
  await writeFile(join(git, 'config'), 'evil')
  await release()
  expect(readlinkSync(join(git, 'config'))).toBe('../../settings')
})

test('.git as a link is put back that a command exchanged', async () => {
  await rename(git, join(root, 'store'))
  await symlink('store', git)
  const { release, args } = await confined()
  expect(args.join(' ')).toContain(`--ro-bind ${root}/store/hooks ${root}/store/hooks`)
  await rm(git)
  await mkdir(join(git, 'hooks'), { recursive: true })
  await release()
  expect(readlinkSync(git)).toBe('store')
})

test('a link to settings of git that leads to another file after the command is told', async () => {
  await mkdir(join(root, 'conf'))
  await writeFile(join(root, 'conf/settings'), 'ours')
  await symlink('../conf/settings', join(git, 'config'))
  const { release } = await confined()
  await rename(join(root, 'conf'), join(root, 'moved'))
  await mkdir(join(root, 'conf'))
  await writeFile(join(root, 'conf/settings'), 'evil')
  await expect(release()).rejects.toMatchObject({ code: 'sandbox.left' })
})
