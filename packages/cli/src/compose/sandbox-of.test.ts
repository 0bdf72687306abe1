import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SandboxSettings } from '../settings/settings.ts'
import { sandboxOf } from './sandbox-of.ts'

const loaded = (user: SandboxSettings, project: SandboxSettings = {}) => ({
  home: '/home/ann/.config/turnbuckle',
  user: { sandbox: user },
  project: { sandbox: project },
})

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
