import { homedir } from 'node:os'
import { join } from 'node:path'
import type { FoundSandbox } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import type { SandboxSettings } from '../settings/settings.ts'
import { missingSandbox, sandboxOf } from './sandbox-of.ts'

const loaded = (user: SandboxSettings, project: SandboxSettings = {}) => ({
  home: '/home/ann/.config/turnbuckle',
  user: { sandbox: user },
  project: { sandbox: project },
})
const shell = [{ name: 'shell' }]
const without = async (): Promise<FoundSandbox> => ({ kind: 'none', reason: 'bubblewrap (bwrap) is not installed' })
const within = async (): Promise<FoundSandbox> => ({ kind: 'bubblewrap', program: '/usr/bin/bwrap' })

test('by default it is on, reaches no host, writes nowhere else, and hides the folder with the keys', () => {
  expect(sandboxOf(loaded({}))).toEqual({
    network: [],
    write: [],
    hide: ['/home/ann/.config/turnbuckle'],
    required: false,
  })
})

test('of a home folder as a whole only the file with the keys is hidden', () => {
  expect(sandboxOf({ home: homedir(), user: {}, project: {} })).toMatchObject({
    hide: [join(homedir(), 'config.json')],
  })
})

test('the person switches it off', () => expect(sandboxOf(loaded({ enabled: false }))).toBe(false))

test('a project that requires one has one, also where the person has switched it off', () => {
  expect(sandboxOf(loaded({ enabled: false }, { required: true }))).toMatchObject({ required: true })
})

test('of the hosts of a project only those count that the person has named', () => {
  const user = { network: ['a.example', 'b.example'] }
  expect(sandboxOf(loaded(user, { network: ['b.example', 'evil.example'] }))).toMatchObject({ network: ['b.example'] })
  expect(sandboxOf(loaded(user, { network: [] }))).toMatchObject({ network: [] })
  expect(sandboxOf(loaded(user))).toMatchObject(user)
})

test('that there is none is said with its reason, where shell is a tool and nobody has switched the sandbox off', async () => {
  expect(await missingSandbox(loaded({}), shell, without)).toBe(
    'There is no sandbox for shell commands (bubblewrap (bwrap) is not installed): one that you allow can do what you can.',
  )
  expect(await missingSandbox(loaded({ required: true }), shell, without)).toContain('so none will run')
  expect(await missingSandbox(loaded({ enabled: false }), shell, without)).toBeUndefined()
  expect(await missingSandbox(loaded({}), [{ name: 'read_file' }], without)).toBeUndefined()
  expect(await missingSandbox(loaded({}), shell, within)).toBeUndefined()
})
