import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gitChanges } from './git-changes.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'turnbuckle-changes-'))
  git('init', '-q')
  put('kept.txt', 'one')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-qm', 'first')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root })
const put = (path: string, text: string) => writeFileSync(join(root, path), text)
/** Time enough on any machine. */
const patience = 60_000

test('changed, deleted and new files are counted; none where all is as it was committed', async () => {
  expect(await gitChanges(root, patience)).toBe(0)
  put('kept.txt', 'two')
  put('new.txt', '')
  expect(await gitChanges(root, patience)).toBe(2)
})

test('a git that takes too long is not waited for, nor is one that is missing', async () => {
  expect(await gitChanges(root, 0)).toBeUndefined()
  vi.stubEnv('PATH', join(root, 'nowhere'))
  expect(await gitChanges(root, patience)).toBeUndefined()
})

test('a folder outside of a repository has no number', async () => {
  rmSync(join(root, '.git'), { recursive: true })
  expect(await gitChanges(root, patience)).toBeUndefined()
})

test.each(['core.fsmonitor', 'filter.own.clean', 'filter.own.process'])(
  'a program that the repository names in %s is not run',
  async setting => {
    put('program.sh', `#!/bin/sh\ntouch ${join(root, 'has-run')}\n`)
    chmodSync(join(root, 'program.sh'), 0o755)
    put('.gitattributes', '* filter=own\n')
    put('kept.txt', 'changed')
    git('config', setting, join(root, 'program.sh'))
    expect(await gitChanges(root, patience)).toBeUndefined()
    expect(existsSync(join(root, 'has-run'))).toBe(false)
  },
)
