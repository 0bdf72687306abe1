import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, type ResultPart } from 'turnbuckle'
import { approval, type PermissionRules } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { workspacePlaces, workspaceTools } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'turnbuckle-')))
  for (const folder of ['.git/hooks', 'src']) await mkdir(join(root, folder), { recursive: true })
  await writeFile(join(root, '.env'), 'KEY=sesame')
  await symlink('../.git/hooks', join(root, 'src/hooks'))
  await symlink('../.env', join(root, 'src/settings'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const placesOf = (path: unknown, name = 'write_file') => workspacePlaces({ root })({ name, args: { path } })

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['./src/../src/a.ts', 'src/a.ts'],
  ['src/settings', '.env'],
  ['src/hooks/new/deep', '.git/hooks/new/deep'],
  ['.', '.'],
  ['a\0b', 'a\0b'],
])('%j leads to %j', (path, place) => {
  expect(placesOf(path)[0]).toBe(place)
  expect(placesOf(path)[1]).toBe(join(root, place))
})

test('an absolute path is told as the rules write it', () => {
  expect(placesOf(join(root, 'src/settings'), 'read_file')[0]).toBe('.env')
})

test('calls of other tools, and those without a path, lead nowhere; a listing or a search without one to the workspace', () => {
  expect(placesOf('.env', 'shell')).toEqual([])
  expect(placesOf(undefined, 'read_file')).toEqual([])
  for (const name of ['list_files', 'search_files']) expect(placesOf(undefined, name)).toEqual(['.', root])
})

test('a file in git’s folder is below .git by one of its names, whatever the folder is called', async () => {
  await rm(join(root, '.git'), { recursive: true })
  await mkdir(join(root, 'store/hooks'), { recursive: true })
  await symlink('store', join(root, '.git'))
  expect(placesOf('store/hooks/x')).toEqual(['store/hooks/x', join(root, 'store/hooks/x'), '.git/hooks/x'])
  await rm(join(root, '.git'))
  await writeFile(join(root, '.git'), 'gitdir: ./store\n')
  expect(placesOf('store/hooks/x')).toContain('.git/hooks/x')
})

async function statusOf(rules: PermissionRules, name: string, args: object, folder = root): Promise<string> {
  let asked = false
  const answers = () => {
    asked = true
    return 'deny' as const
  }
  const agent = createAgent({
    model: scriptedModel([{ calls: [{ name, args }] }, 'done']),
    tools: workspaceTools({ root: folder }),
    use: [approval({ ...rules, places: workspacePlaces({ root: folder }), answers })],
  })
  const { messages } = await agent.send('Do what that page says.')
  const result = messages.flatMap(({ content }) => content).find(part => part.type === 'result') as ResultPart
  return asked ? 'asked' : result.status
}

test.each(['.env', 'src/settings', './src/../.env', 'ABSOLUTE/.env', 'src/../src/settings'])(
  'a rule against .env holds for %s',
  async given => {
    const path = given.replace('ABSOLUTE', root)
    expect(await statusOf({ allow: ['read_file'], deny: ['read_file(.env)'] }, 'read_file', { path })).toBe('blocked')
  },
)

test.each(['write_file(src/*)', 'write_file(path=src/*)'])(
  '%s does not allow what a link in src leads to',
  async rule => {
    const write = (path: string) => statusOf({ allow: [rule] }, 'write_file', { path, content: 'x' })
    expect(await write('src/new.ts')).toBe('ok')
    expect(await write('src/hooks/pre-commit')).toBe('asked')
  },
)

test.each([
  { rule: 'write_file(/*)', status: 'ok' },
  { rule: 'write_file(*/turnbuckle-*)', status: 'ok' },
  { rule: 'write_file(content=*new*)', status: 'ok' },
  { rule: 'write_file(ROOT/*)', status: 'blocked' },
  { rule: 'write_file(ROOT/src/new.ts)', status: 'blocked' },
])('$rule, denied, leaves src/new.ts $status', async ({ rule, status }) => {
  const rules = { allow: ['write_file'], deny: [rule.replace('ROOT', root)] }
  expect(await statusOf(rules, 'write_file', { path: 'src/new.ts', content: 'x' })).toBe(status)
})

test('an absolute rule holds for a link that leads out of the workspace', async () => {
  await symlink('/etc', join(root, 'settings'))
  const rules = { allow: ['read_file'], deny: ['read_file(/etc/*)'] }
  expect(await statusOf(rules, 'read_file', { path: 'settings/hosts' })).toBe('blocked')
})

test.each([
  { rule: 'list_files(.)', status: 'blocked' },
  { rule: 'list_files(path=./)', status: 'blocked' },
  { rule: 'list_files(src)', status: 'ok' },
])('$rule, denied, leaves a listing without a path $status', async ({ rule, status }) => {
  expect(await statusOf({ allow: ['list_files'], deny: [rule] }, 'list_files', {})).toBe(status)
})

test('a search without a path is allowed by what allows its text', async () => {
  const search = (rule: string) => statusOf({ allow: [rule] }, 'search_files', { pattern: 'KEY' })
  for (const rule of ['search_files(KEY)', 'search_files(pattern=KEY)']) expect(await search(rule)).toBe('ok')
})

test('a workspace that is reached by a link has the name that it was given, too', async () => {
  const link = `${root}-link`
  await symlink(root, link)
  await writeFile(join(root, 'src/a.ts'), '')
  const path = `${link}/src/a.ts`
  const read = (rules: PermissionRules, given: string) => statusOf(rules, 'read_file', { path: given }, link)
  expect(await read({ allow: [`read_file(${link}/*)`] }, path)).toBe('ok')
  expect(await read({ allow: ['read_file'], deny: [`read_file(${link}/src/*)`] }, 'src/a.ts')).toBe('blocked')
  expect(await read({ allow: [`read_file(${link}/src/*)`] }, `${link}/src/settings`)).toBe('asked')
  await rm(link)
})
