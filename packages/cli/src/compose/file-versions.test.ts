import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { workspaceTools } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileVersions } from './file-versions.ts'

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
  const written = await later.lastTurn('conv_a')
  if (!written) throw new Error('nothing was kept')
  const { back, changed } = later.compare(written)
  expect(changed).toEqual([])
  await later.restore('conv_a', back)
  expect(readFileSync(at('old.txt'), 'utf8')).toBe('before')
  expect(existsSync(at('new.txt'))).toBe(false)
  expect(await later.lastTurn('conv_a')).toBeUndefined()
})

test('a file that was changed since is told apart, and commands are named', async () => {
  const { versions } = await turn([
    write('a.txt', 'a'),
    { name: 'shell', args: { command: 'true' } },
    write('b.txt', 'b'),
  ])
  writeFileSync(at('b.txt'), 'by hand')
  const written = await versions.lastTurn('conv_a')
  if (!written) throw new Error('nothing was kept')
  expect(written.commands).toEqual(['true'])
  const { back, changed } = versions.compare(written)
  expect([back, changed].map(files => files.map(({ path }) => path))).toEqual([['a.txt'], ['b.txt']])
})

test('a call that changes nothing leaves nothing to undo', async () => {
  const { versions } = await turn([write('../outside.txt', 'x')])
  expect((await versions.lastTurn('conv_a'))?.files ?? []).toEqual([])
})
