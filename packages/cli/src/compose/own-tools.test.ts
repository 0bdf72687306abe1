import { expect, test } from 'vitest'
import { ownTools } from './own-tools.ts'

type Tools = NonNullable<Parameters<typeof ownTools>[0]['user']['tools']>
const names = (user: Tools, project: Tools) =>
  ownTools({ root: '/nowhere', home: '/home', user: { tools: user }, project: { tools: project } }).map(
    ({ name }) => name,
  )

test('a project cannot switch on what the user has switched off', () => {
  expect(names({}, {})).toContain('shell')
  expect(names({ shell: false }, { shell: true })).not.toContain('shell')
  expect(names({ fetch: false }, { fetch: true })).toEqual(names({ fetch: false }, {}))
})

test('a project may have less than the user', () => {
  expect(names({ shell: true }, { shell: false })).not.toContain('shell')
  expect(names({}, { files: false })).not.toContain('read_file')
})

test.each([
  { user: true, project: 'read' },
  { user: 'read', project: true },
] as const)('files are only read where one of the two says so: $user, $project', ({ user, project }) => {
  const tools = names({ files: user }, { files: project })
  expect(tools).toContain('read_file')
  expect(tools).not.toContain('write_file')
})
