import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { workspaceTools } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FileVersions } from './file-versions.ts'

vi.mock('node:fs', { spy: true })

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'turnbuckle-versions-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))
const at = (name: string) => join(root, name)

/** A turn that makes these calls, one after the other. */
async function turn(calls: readonly { name: string; args: object }[]) {
  const store = memoryStore()
  const versions = new FileVersions(store, root)
  const model = scriptedModel([...calls.map(call => ({ calls: [call] })), 'Done.'])
  const agent = createAgent({ model, store, tools: workspaceTools({ root, shell: true }), use: [versions.use] })
  const conversation = agent.conversation('conv_a')
  await conversation.send('Go.')
  return { store, versions }
}
const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } })

test('what a turn wrote is put back as it was before the turn, also by another process', async () => {
  writeFileSync(at('old.txt'), 'before')
  const { store } = await turn([write('old.txt', 'one'), write('old.txt', 'two'), write('new.txt', 'new')])
  const later = new FileVersions(store, root)
  const written = await later.writtenSince('conv_a')
  expect(later.compare(written)).toMatchObject({ changed: [], deleted: [] })
  await later.restore('conv_a', written)
  expect(readFileSync(at('old.txt'), 'utf8')).toBe('before')
  expect(existsSync(at('new.txt'))).toBe(false)
  expect(await later.writingTurns('conv_a')).toEqual([])
})

test('a file that was changed since is told apart, and commands are named', async () => {
  const { versions } = await turn([
    write('a.txt', 'a'),
    { name: 'shell', args: { command: 'true' } },
    write('b.txt', 'b'),
  ])
  writeFileSync(at('b.txt'), 'by hand')
  const written = await versions.writtenSince('conv_a')
  expect(written.commands).toEqual(['true'])
  const { back, changed } = versions.compare(written)
  expect([back, changed].map(files => files.map(({ path }) => path))).toEqual([['a.txt'], ['b.txt']])
})

test('a call that changes nothing leaves nothing to undo', async () => {
  const { versions } = await turn([write('../outside.txt', 'x')])
  expect((await versions.writtenSince('conv_a')).files).toEqual([])
})

test.runIf(process.platform !== 'win32')('a pipe or a device is not read, which would never end', async () => {
  spawnSync('sh', ['-c', 'mkfifo "$0"', at('pipe')])
  const { versions } = await turn([write('pipe', 'x'), write('/dev/zero', 'x')])
  expect((await versions.writtenSince('conv_a')).files).toEqual([])
})

test('turns are undone one after the other, also by another process; one that ran only commands is passed over', async () => {
  writeFileSync(at('a.txt'), 'first')
  const store = memoryStore()
  const versions = new FileVersions(store, root)
  const shell = { name: 'shell', args: { command: 'true' } }
  const script = [write('a.txt', 'second'), write('a.txt', 'third'), shell].flatMap(call => [
    { calls: [call] },
    'Done.',
  ])
  const tools = workspaceTools({ root, shell: true })
  const chat = createAgent({ model: scriptedModel(script), store, tools, use: [versions.use] }).conversation('conv_a')
  for (const said of ['One.', 'Two.', 'Three.']) await chat.send(said)
  const later = new FileVersions(store, root)
  const found: unknown[] = []
  while ((await later.writingTurns('conv_a')).length) {
    const written = await later.writtenSince('conv_a')
    await later.restore('conv_a', written)
    found.push([readFileSync(at('a.txt'), 'utf8'), written.commands])
  }
  expect(found).toEqual([
    ['second', ['true']],
    ['first', []],
  ])
})

test('several turns are undone in one go, and what somebody changed between them is told', async () => {
  const store = memoryStore()
  const versions = new FileVersions(store, root)
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(at(name), 'first')
  const script = [write('a.txt', 'second'), write('b.txt', 'second'), write('b.txt', 'third'), write('a.txt', 'third')]
  const model = scriptedModel(script.flatMap(call => [{ calls: [call] }, 'Done.']))
  const chat = createAgent({ model, store, tools: workspaceTools({ root }), use: [versions.use] }).conversation('c')
  for (const said of ['One.', 'Two.']) await chat.send(said)
  writeFileSync(at('b.txt'), 'by hand')
  for (const said of ['Three.', 'Four.']) await chat.send(said)
  expect((await versions.writingTurns('c')).map(({ files }) => files.map(({ path }) => path))).toEqual([
    ['a.txt'],
    ['b.txt'],
    ['b.txt'],
    ['a.txt'],
  ])
  const written = await versions.writtenSince('c', 3)
  const { back } = versions.compare(written)
  expect(back.map(({ path, wasChangedBetween }) => [path, wasChangedBetween])).toEqual([
    ['b.txt', true],
    ['a.txt', undefined],
  ])
  await versions.restore('c', written)
  expect(['a.txt', 'b.txt'].map(name => readFileSync(at(name), 'utf8'))).toEqual(['second', 'first'])
  expect(await new FileVersions(store, root).writingTurns('c')).toHaveLength(1)
})

test('files of calls that run side by side are all kept', async () => {
  const calls = ['a', 'b', 'c', 'd'].map(name => write(`${name}.txt`, name))
  const store = memoryStore()
  const versions = new FileVersions(store, root)
  const model = scriptedModel([{ calls }, 'Done.'])
  await createAgent({ model, store, tools: workspaceTools({ root }), use: [versions.use] })
    .conversation('c')
    .send('Go.')
  expect((await versions.writtenSince('c')).files.map(({ path }) => path).toSorted()).toEqual([
    'a.txt',
    'b.txt',
    'c.txt',
    'd.txt',
  ])
})

test('what was written from a turn on has the commands of turns that wrote nothing, too', async () => {
  const { versions, store } = await turn([write('a.txt', 'one')])
  const model = scriptedModel([
    { calls: [{ name: 'shell', args: { command: 'true' } }] },
    'Done.',
    { calls: [write('a.txt', 'two')] },
    'Done.',
  ])
  const agent = createAgent({ model, store, tools: workspaceTools({ root, shell: true }), use: [versions.use] })
  const conversation = agent.conversation('conv_a')
  const run = conversation.send('Run.')
  await run
  await conversation.send('Write.')
  const { files, commands, turnIds } = await versions.writtenFrom('conv_a', new Set([run.id]))
  expect([files.map(({ path }) => path), commands, turnIds.length]).toEqual([['a.txt'], ['true'], 2])
  expect(await versions.writtenFrom('conv_a', new Set())).toMatchObject({ files: [], commands: [], turnIds: [] })
})

/** A conversation in which each call is a turn of its own. */
function turnsOf(calls: readonly { name: string; args: object }[], store = memoryStore()) {
  const versions = new FileVersions(store, root)
  const model = scriptedModel(calls.flatMap(call => [{ calls: [call] }, 'Done.']))
  const agent = createAgent({ model, store, tools: workspaceTools({ root, shell: true }), use: [versions.use] })
  return { store, versions, conversation: agent.conversation('conv_a') }
}
const paths = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path)

test('what another process wrote is there at once, and neither process wipes the turns of the other', async () => {
  const store = memoryStore()
  const here = turnsOf([write('a.txt', 'one'), write('c.txt', 'three')], store)
  await here.conversation.send('One.')
  const there = turnsOf([write('b.txt', 'two')], store)
  await there.versions.read('conv_a')
  await here.conversation.send('Three.')
  await there.conversation.send('Two.')
  for (const { versions } of [here, there, { versions: new FileVersions(store, root) }])
    expect((await versions.writingTurns('conv_a')).flatMap(({ files }) => paths(files))).toEqual([
      'b.txt',
      'c.txt',
      'a.txt',
    ])
})

test('what a command changed between two writes of one turn is told', async () => {
  const change = { name: 'shell', args: { command: 'echo by hand > a.txt' } }
  const { versions } = await turn([write('a.txt', 'one'), change, write('a.txt', 'two')])
  expect((await versions.writtenSince('conv_a')).files).toMatchObject([{ path: 'a.txt', wasChangedBetween: true }])
})

test('a file is one file however calls spell its path', async () => {
  writeFileSync(at('a.txt'), 'first')
  const { versions, conversation } = turnsOf([
    write('a.txt', 'second'),
    write('./a.txt', 'third'),
    write(at('a.txt'), 'fourth'),
  ])
  for (const said of ['One.', 'Two.', 'Three.']) await conversation.send(said)
  const written = await versions.writtenSince('conv_a', 3)
  expect(written.files).toMatchObject([{ path: 'a.txt' }])
  await versions.restore('conv_a', written)
  expect([readFileSync(at('a.txt'), 'utf8'), await versions.writingTurns('conv_a')]).toEqual(['first', []])
})

test('turns that were undone meanwhile are not counted again: those before them stay', async () => {
  const { versions, conversation } = turnsOf([write('keep.txt', 'one'), write('a.txt', 'two')])
  for (const said of ['One.', 'Two.']) await conversation.send(said)
  const written = await versions.writtenSince('conv_a')
  await versions.restore('conv_a', written)
  expect(await versions.restore('conv_a', written)).toEqual({ back: [], changed: [], deleted: [], failed: [] })
  expect((await versions.writingTurns('conv_a')).map(({ files }) => paths(files))).toEqual([['keep.txt']])
})

test('a file that was left can be undone later; one that was deleted is told apart', async () => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(at(name), 'before')
  const { versions, store } = await turn([write('a.txt', 'after'), write('b.txt', 'after'), write('c.txt', 'after')])
  writeFileSync(at('b.txt'), 'by hand')
  rmSync(at('c.txt'))
  const { back, changed, deleted } = await versions.restore('conv_a', await versions.writtenSince('conv_a'))
  expect([back, changed, deleted].map(paths)).toEqual([['a.txt'], ['b.txt'], ['c.txt']])
  writeFileSync(at('b.txt'), 'after')
  const later = new FileVersions(store, root)
  await later.restore('conv_a', await later.writtenSince('conv_a'))
  expect(readFileSync(at('b.txt'), 'utf8')).toBe('before')
  expect((await later.writtenSince('conv_a')).files).toMatchObject([{ path: 'c.txt' }])
})

test('a link in the place of a file is not followed: what it leads to stays', async () => {
  writeFileSync(at('a.txt'), 'before')
  const { versions } = await turn([write('a.txt', 'after')])
  writeFileSync(at('other.txt'), 'after')
  rmSync(at('a.txt'))
  symlinkSync(at('other.txt'), at('a.txt'))
  const { back, changed } = await versions.restore('conv_a', await versions.writtenSince('conv_a'))
  expect([back, changed].map(paths)).toEqual([[], ['a.txt']])
  expect(readFileSync(at('other.txt'), 'utf8')).toBe('after')
})

test('a file that cannot be written does not keep the others from going back', async () => {
  const { versions } = await turn([write('dir/a.txt', 'new'), write('b.txt', 'new')])
  const written = await versions.writtenSince('conv_a')
  vi.mocked(rmSync).mockImplementationOnce(() => {
    throw new Error('EACCES: permission denied')
  })
  const { back, failed } = await versions.restore('conv_a', written)
  expect([paths(back), failed]).toEqual([['b.txt'], [{ path: 'dir/a.txt', reason: 'EACCES: permission denied' }]])
  expect((await versions.writtenSince('conv_a')).files).toMatchObject([{ path: 'dir/a.txt' }])
})

test('of more than fifty turns the oldest are dropped from the store, and it is told where one is missed', async () => {
  const { versions, store, conversation } = turnsOf(Array.from({ length: 52 }, (_, i) => write('a.txt', `${i}`)))
  const ids: string[] = []
  for (let i = 0; i < 52; i++) {
    const sent = conversation.send(`Say ${i}.`)
    ids.push(sent.id)
    await sent
  }
  expect(await store.entries('file-versions')).toHaveLength(51)
  for (const each of [versions, new FileVersions(store, root)])
    for (const { first, isShort } of [
      { first: 1, isShort: true },
      { first: 2, isShort: false },
    ])
      expect(await each.writtenFrom('conv_a', new Set(ids.slice(first)))).toMatchObject({ isShort })
})
