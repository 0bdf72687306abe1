import { createAgent, middleware } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { LoadedSettings } from '../settings/load-settings.ts'
import {
  type ConfiguredMiddleware,
  hookTrustItem,
  makeMiddleware,
  placeInSettings,
  registerMiddleware,
} from './configured-middleware.ts'

const configured = (entry: ConfiguredMiddleware['entry']): ConfiguredMiddleware => ({
  entry,
  from: 'project',
  index: '3',
  code: undefined,
  runnable: undefined,
  active: [],
  removers: [],
})
const agent = () => createAgent({ model: scriptedModel([]) })
const names = (of: ReturnType<typeof agent>) =>
  of.middleware.filter(({ name }) => /^(old|new)/.test(name)).map(({ name, enabled }) => `${name} ${enabled}`)

test('new middleware takes the place of the old, and keeps its switch', () => {
  const of = agent()
  const entry = configured({ use: './own.ts', enabled: false })
  registerMiddleware(of, entry, [middleware({ name: 'old' })], {})
  expect(names(of)).toEqual(['old false'])
  registerMiddleware(of, entry, [middleware({ name: 'new' })], { new: true })
  expect(names(of)).toEqual(['new true'])
})

test('when the agent refuses the new, the old is put back', () => {
  const of = agent()
  const entry = configured({ use: './own.ts' })
  registerMiddleware(of, entry, [middleware({ name: 'old' })], {})
  const twice = [middleware({ name: 'new' }), middleware({ name: 'new' })]
  expect(() => registerMiddleware(of, entry, twice, {})).toThrow()
  expect(names(of)).toEqual(['old true'])
})

test("an entry's priority goes over that of the middleware", async () => {
  expect(await makeMiddleware({ entry: { use: 'todo', priority: 7 }, code: undefined })).toMatchObject([
    { priority: 7 },
  ])
})

test('a message is placed at the option that it names', () => {
  const loaded = { where: (...path: string[]) => path.join('.') } as unknown as LoadedSettings
  const entry = configured({ use: 'step-limit', options: { max: 1 } })
  expect(placeInSettings(loaded, entry, 'max must be more')).toBe('project.middleware.3.options.max')
  expect(placeInSettings(loaded, entry, 'the maximum')).toBe('project.middleware.3.use')
})

test('a question of trust names the files that come along', () => {
  const item = (files: string[]) =>
    hookTrustItem({ use: './own.ts' }, { path: '', hash: 'h', text: 't', files, load: async () => 0 })
  expect(item(['own.ts'])).toEqual({ kind: 'hook', name: './own.ts', does: 'hooks', hash: 'h', text: 't' })
  expect(item(['own.ts', 'b.ts']).does).toBe('hooks; with 1 more files: own.ts, b.ts')
})
