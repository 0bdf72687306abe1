import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { workspaceTools } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eraseFileVersions, FileVersions } from './file-versions.ts'

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
  const { back, changed } = later.compare(await later.writtenSince('conv_a'))
  expect(changed).toEqual([])
  await later.restore('conv_a', back)
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
    await later.restore('conv_a', later.compare(written).back)
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
  const { back } = versions.compare(await versions.writtenSince('c', 3))
  expect(back.map(({ path, wasChangedBetween }) => [path, wasChangedBetween])).toEqual([
    ['b.txt', true],
    ['a.txt', undefined],
  ])
  await versions.restore('c', back, 3)
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

test('nothing is left of a conversation that is deleted, also where the version before kept its last turn', async () => {
  const { store } = await turn([write('a.txt', 'a')])
  await eraseFileVersions(store, 'conv_a')
  expect(await store.entries('file-versions')).toEqual([])
  const old = { turnId: 't', files: [{ path: 'x', before: null, after: 'h' }], commands: [] }
  await store.set('file-versions', 'conv_b', old)
  expect(await new FileVersions(store, root).writingTurns('conv_b')).toEqual([old])
})
