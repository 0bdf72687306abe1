import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { rgPath } from '@vscode/ripgrep'
import { createAgent, type ResultPart, type Tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { type WorkspaceOptions, workspacePreview, workspaceTools } from 'turnbuckle/tools'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

let top: string
let root: string

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'turnbuckle-'))
  root = join(top, 'work')
  await mkdir(join(root, 'src'), { recursive: true })
  await mkdir(join(top, 'work-secret'))
  await writeFile(join(top, 'work-secret', 'key'), 'secret')
  await writeFile(join(top, 'outside.txt'), 'secret')
  await writeFile(join(root, 'a.txt'), 'one\ntwo\nthree\n')
  await writeFile(join(root, 'src', 'b.ts'), 'const two = 2\n')
})
afterEach(() => rm(top, { recursive: true, force: true }))

/** One call, through an agent. */
async function call(name: string, args: object, options: Partial<WorkspaceOptions> = {}): Promise<ResultPart> {
  const tools: Tool[] = workspaceTools({ root, ...options })
  const { messages } = await createAgent({ model: scriptedModel([{ calls: [{ name, args }] }, 'ok']), tools }).send(
    'go',
  )
  return messages.flatMap(({ content }) => content).find(part => part.type === 'result') as ResultPart
}

test.each<[options: Partial<WorkspaceOptions>, names: string]>([
  [{}, 'read_file list_files search_files write_file edit_file'],
  [{ files: 'read' }, 'read_file list_files search_files'],
  [{ files: false, shell: true }, 'shell'],
  [{ files: false, fetch: true }, 'fetch_url'],
])('%j gives %s', (options, names) =>
  expect(workspaceTools({ root, ...options }).map(({ name }) => name)).toEqual(names.split(' ')),
)

test.each<[name: string, path: string, problem: string]>([
  ['read_file', 'nowhere', 'does not exist'],
  ['list_files', 'nowhere', 'does not exist'],
  ['list_files', 'a.txt', 'is not a folder'],
  ['search_files', 'nowhere', 'does not exist'],
  ['shell', 'nowhere', 'does not exist'],
  ['shell', 'a.txt', 'is not a folder'],
])('%s of %s says that it %s, and not where the workspace lies', async (name, path, problem) => {
  const given: Record<string, object> = { search_files: { path, pattern: 'x' }, shell: { cwd: path, command: 'pwd' } }
  for (const ripgrep of [rgPath, false] as const)
    expect(await call(name, given[name] ?? { path }, { files: { ripgrep }, shell: true })).toMatchObject({
      status: 'error',
      value: `"${path}" ${problem}.`,
    })
})

describe('the workspace is left by no path', () => {
  const paths = () => [
    '../outside.txt',
    'src/../../outside.txt',
    join(top, 'outside.txt'),
    '../work-secret/key',
    `${root}-secret/key`,
    'link',
    'folder/outside.txt',
    'chain',
    'src/up/outside.txt',
    '/etc/passwd',
    'a.txt\0.png',
  ]
  beforeEach(async () => {
    await symlink(join(top, 'outside.txt'), join(root, 'link'))
    await symlink(top, join(root, 'folder'))
    await symlink('link', join(root, 'chain'))
    await symlink('../..', join(root, 'src', 'up'))
    await symlink(join(top, 'new.txt'), join(root, 'nowhere'))
  })
  const attempts: [name: string, args: object][] = [
    ['read_file', {}],
    ['write_file', { content: 'bad' }],
    ['edit_file', { old: 'secret', new: 'bad' }],
    ['search_files', { pattern: 'secret' }],
    ['list_files', {}],
  ]
  test.each(attempts)('%s', async (name, args) => {
    for (const path of [...paths(), 'nowhere', 'folder/new.txt']) {
      const result = await call(name, { path, ...args })
      expect([path, result.status, String(result.value)]).toEqual([
        path,
        'error',
        expect.stringMatching(/lies outside|no null/),
      ])
    }
    expect(await readFile(join(top, 'outside.txt'), 'utf8')).toBe('secret')
    expect(await readdir(top)).toEqual(['outside.txt', 'work', 'work-secret'])
  })
  test('shell does not start outside', async () =>
    expect(await call('shell', { command: 'pwd', cwd: 'folder' }, { shell: true })).toMatchObject({ status: 'error' }))
  test.each([rgPath, false as const])('a search of everything does not follow links (%s)', async ripgrep =>
    expect((await call('search_files', { pattern: 'secret' }, { files: { ripgrep } })).value).toBe('[nothing]'),
  )
  test('a list of everything does not follow links', async () =>
    expect((await call('list_files', {})).value).toBe('a.txt\nchain\nfolder\nlink\nnowhere\nsrc/\nsrc/b.ts\nsrc/up'))
  test('links inside the workspace are fine', async () => {
    await symlink('a.txt', join(root, 'inner'))
    expect(await call('read_file', { path: 'inner' })).toMatchObject({ status: 'ok', value: 'one\ntwo\nthree\n' })
  })
})

describe('a folder that becomes a link while tools work in it', () => {
  const rounds = 150
  /** Puts a link to the outside in the place of `src`, and takes it away again, over and over. */
  async function swapping(until: Promise<unknown>): Promise<void> {
    let over = false
    void until.finally(() => {
      over = true
    })
    const [folder, aside] = [join(root, 'src'), join(root, 'aside')]
    const quietly = (doing: Promise<unknown>) => doing.catch(() => {})
    while (!over) {
      await quietly(rename(folder, aside))
      await quietly(symlink(join(top, 'work-secret'), folder))
      await quietly(unlink(folder))
      await quietly(rm(folder, { recursive: true, force: true }))
      await quietly(rename(aside, folder))
    }
  }

  test.each<[name: string, args: object]>([
    ['read_file', { path: 'src/key' }],
    ['search_files', { path: 'src', pattern: 'secret' }],
    ['write_file', { path: 'src/key', content: 'bad' }],
    ['write_file', { path: 'src/new/key', content: 'bad' }],
    ['edit_file', { path: 'src/key', old: 'secret', new: 'bad' }],
  ])('%s %j never gets out', async (name, args) => {
    await writeFile(join(root, 'src', 'key'), 'ours')
    const seen = new Set<string>()
    const attack = (async () => {
      for (let i = 0; i < rounds; i++) seen.add(String((await call(name, args)).value))
    })()
    await Promise.all([attack, swapping(attack)])
    expect([...seen].filter(value => /\bsecret\b/.test(value) && !value.includes('is not in'))).toEqual([])
    expect(await readFile(join(top, 'work-secret', 'key'), 'utf8')).toBe('secret')
    expect(await readdir(join(top, 'work-secret'))).toEqual(['key'])
  })
})

test('names with terminal sequences in them do not drive a terminal', async () => {
  const evil = 'x\x1b]0;title\x07y\x1b[2J'
  await writeFile(join(root, evil), 'two')
  const controls = /[^\P{Cc}\n]/u
  for (const [name, args] of [
    ['list_files', {}],
    ['search_files', { pattern: 'two' }],
    ['read_file', { path: `${evil}?` }],
    ['edit_file', { path: evil, old: 'two', new: '2' }],
    ['write_file', { path: evil, content: 'three' }],
  ] as const)
    expect([name, controls.test(String((await call(name, args)).value))]).toEqual([name, false])
})

describe('read_file', () => {
  test.each<[args: object, value: unknown]>([
    [{ path: 'a.txt' }, 'one\ntwo\nthree\n'],
    [{ path: 'a.txt', from: 2, lines: 1 }, 'two\n[4 lines; go on with from: 3]'],
    [{ path: 'a.txt', from: 9 }, '[it has 4 lines]'],
    [{ path: 'none' }, '"none" does not exist.'],
    [{ path: 'src' }, '"src" is not a file.'],
    [{ path: 'a.txt', from: 0 }, expect.stringContaining('from: Expected a whole number')],
    [{ pfad: 'a.txt' }, expect.stringContaining('pfad: There is no such argument.')],
  ])('%j', async (args, value) => expect((await call('read_file', args)).value).toEqual(value))

  test('an empty file says so', async () => {
    await writeFile(join(root, 'nothing'), '')
    expect((await call('read_file', { path: 'nothing' })).value).toBe('[empty]')
  })

  test('terminal sequences in a file do not come through', async () => {
    await writeFile(
      join(root, 'evil'),
      'a\x1b]0;title\x07b\x1b[2Jc\x9b31md\x1b]8;;http://x\x1b\\e\x08\x00'.replace('\x00', ''),
    )
    expect((await call('read_file', { path: 'evil' })).value).toBe('abcde')
  })
  test('what is no text is not read', async () => {
    await writeFile(join(root, 'zero'), 'a\0b')
    await writeFile(join(root, 'latin'), Buffer.from([0xe4, 0x20]))
    for (const path of ['zero', 'latin'])
      expect(await call('read_file', { path })).toMatchObject({
        status: 'error',
        value: expect.stringContaining('text'),
      })
  })
  test('a file over the limit is not read', async () =>
    expect(await call('read_file', { path: 'a.txt' }, { files: { maxBytes: 3 } })).toMatchObject({ status: 'error' }))
})

describe('writing', () => {
  test('a new file, with its folders', async () => {
    expect((await call('write_file', { path: 'x/y.txt', content: 'new\n' })).value).toBe(
      'Made x/y.txt\n@@ line 1 @@\n+new',
    )
    expect(await readFile(join(root, 'x/y.txt'), 'utf8')).toBe('new\n')
  })
  test('an edit shows what changed', async () => {
    const { value } = await call('edit_file', { path: 'a.txt', old: 'two', new: 'zwei' })
    expect(value).toBe('Changed a.txt\n@@ line 1 @@\n one\n-two\n+zwei\n three')
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('one\nzwei\nthree\n')
  })
  test.each<[edit: object, says: string]>([
    [{ old: 'four', new: '' }, 'not in "a.txt"'],
    [{ old: 'o', new: '' }, '2 times'],
    [{ old: '', new: 'x' }, 'empty'],
    [{ path: 'none', old: 'a', new: 'b' }, 'does not exist'],
  ])('an edit %j is refused: %s', async (edit, says) => {
    expect(await call('edit_file', { path: 'a.txt', ...edit })).toMatchObject({
      status: 'error',
      value: expect.stringContaining(says),
    })
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n')
  })
  test('all occurrences on request, and the new text is taken literally', async () => {
    await call('edit_file', { path: 'a.txt', old: 'o', new: '$&', all: true })
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('$&ne\ntw$&\nthree\n')
  })
  test('line ends of the file are kept', async () => {
    await writeFile(join(root, 'crlf'), 'a\r\nb\r\nc\r\n')
    await call('edit_file', { path: 'crlf', old: 'a\nb', new: 'x\ny' })
    expect(await readFile(join(root, 'crlf'), 'utf8')).toBe('x\r\ny\r\nc\r\n')
  })
  test('the other name of a hard link keeps its content', async () => {
    await link(join(top, 'outside.txt'), join(root, 'hard'))
    await call('write_file', { path: 'hard', content: 'new' })
    expect(await readFile(join(top, 'outside.txt'), 'utf8')).toBe('secret')
    expect(await readdir(root)).toEqual(['a.txt', 'hard', 'src'])
  })
  test('a person who is asked can see the change before it is made', async () => {
    const preview = workspacePreview({ root })
    expect(await preview({ name: 'edit_file', args: { path: 'a.txt', old: 'two', new: '2' } })).toEqual({
      diff: '@@ line 1 @@\n one\n-two\n+2\n three',
    })
    expect(await preview({ name: 'write_file', args: { path: 'n', content: 'x' } })).toEqual({
      diff: '@@ line 1 @@\n+x',
    })
    expect(await preview({ name: 'write_file', args: { path: '../n', content: 'x' } })).toBeUndefined()
    expect(await preview({ name: 'read_file', args: { path: 'a.txt' } })).toBeUndefined()
  })
})

test.each<[args: object, value: string]>([
  [{}, 'a.txt\nsrc/\nsrc/b.ts'],
  [{ depth: 1 }, 'a.txt\nsrc/'],
  [{ path: 'src' }, 'src/b.ts'],
  [{ pattern: '*.ts' }, 'src/b.ts'],
  [{ pattern: '*.{ts,txt}' }, 'a.txt\nsrc/b.ts'],
  [{ pattern: 'src/**' }, 'src/b.ts'],
  [{ pattern: '?.txt' }, 'a.txt'],
  [{ pattern: '*.js' }, '[nothing]'],
])('list_files %j', async (args, value) => {
  await mkdir(join(root, 'node_modules'))
  await writeFile(join(root, 'node_modules', 'x.ts'), '')
  expect((await call('list_files', args)).value).toBe(value)
})

test.each([
  ['list_files', { pattern: '**/'.repeat(3000) }],
  ['search_files', { pattern: 'x', glob: '**/'.repeat(3000) }],
])('%s says that a glob is too long', async (tool, args) => {
  const result = await call(tool, args, { files: { ripgrep: false } })
  expect(result).toMatchObject({ status: 'error', value: expect.stringContaining('more than 500 characters') })
})

describe.each([
  { by: 'ripgrep', ripgrep: rgPath },
  { by: 'itself', ripgrep: false as const },
])('search_files by $by', ({ ripgrep }) => {
  test.each<[args: object, value: unknown]>([
    [{ pattern: 'two' }, 'a.txt:2: two\nsrc/b.ts:1: const two = 2'],
    [{ pattern: 't[wx]o$' }, 'a.txt:2: two'],
    [{ pattern: 'TWO', ignoreCase: true, glob: '*.txt' }, 'a.txt:2: two'],
    [{ pattern: 'two', glob: 'src/*' }, 'src/b.ts:1: const two = 2'],
    [{ pattern: 'two', path: 'src' }, 'src/b.ts:1: const two = 2'],
    [{ pattern: 'two', path: 'a.txt' }, 'a.txt:2: two'],
    [{ pattern: '(' }, expect.stringMatching(/regex|regular/i)],
    [{ pattern: '(', literal: true }, '[nothing]'],
    [{ pattern: '--files' }, '[nothing]'],
    [{ pattern: 'in-git' }, '[nothing]'],
  ])('%j', async (args, value) => {
    await mkdir(join(root, '.git'))
    await writeFile(join(root, '.git', 'x'), 'in-git')
    expect((await call('search_files', args, { files: { ripgrep } })).value).toEqual(value)
  })
  test('too many matches are cut', async () => {
    await writeFile(join(root, 'many'), 'hit\n'.repeat(500))
    const lines = String((await call('search_files', { pattern: 'hit' }, { files: { ripgrep } })).value).split('\n')
    expect(lines).toHaveLength(201)
    expect(lines.at(-1)).toContain('more than 200')
  })
})

test('time that ran out while the process waited for a processor is not held against a regular expression', async () => {
  vi.spyOn(Script.prototype, 'runInContext').mockImplementationOnce(() => {
    throw new Error('Script execution timed out after 250ms')
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const { value } = await call('search_files', { pattern: 't[w]o', path: 'a.txt' }, { files: { ripgrep: false } })
  expect(value).toBe('a.txt:2: two')
})

test('a regular expression that would run for ever is ended', async () => {
  await writeFile(join(root, 'slow'), `${'a'.repeat(40)}b`)
  const result = await call('search_files', { pattern: '(a+)+$' }, { files: { ripgrep: false } })
  expect(result).toMatchObject({ status: 'error', value: expect.stringContaining('too long') })
})
