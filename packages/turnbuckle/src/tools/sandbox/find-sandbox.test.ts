import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findSandbox } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lookForSandbox } from './find-sandbox.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnbuckle-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function program(name: string, script: string) {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, name), 0o755)
}

test.each([
  ['linux', 'bwrap', 'bubblewrap'],
  ['darwin', 'sandbox-exec', 'seatbelt'],
] as const)('a %s with %s that works has the sandbox %s', async (platform, name, kind) => {
  await program(name, 'exit 0')
  expect(await lookForSandbox({ platform, folders: ['/nowhere', folder] })).toEqual({
    kind,
    program: join(folder, name),
  })
})

test('a program that does not work is no sandbox, and its first words are the reason', async () => {
  await program('bwrap', 'echo "setting up uid map: Permission denied" >&2; echo more >&2; exit 1')
  expect(await lookForSandbox({ platform: 'linux', folders: [folder] })).toEqual({
    kind: 'none',
    reason: 'bwrap does not work here: setting up uid map: Permission denied',
  })
})

test.each([
  ['linux', 'bubblewrap (bwrap) is not installed'],
  ['darwin', 'sandbox-exec is not there'],
  ['win32', 'no sandbox of win32 is supported'],
] as const)('a %s without one says: %s', async (platform, reason) => {
  expect(await lookForSandbox({ platform, folders: [folder] })).toEqual({ kind: 'none', reason })
})

test('this system is looked at once', async () => {
  expect(await findSandbox()).toBe(await findSandbox())
})
