import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConversationStore, sqliteStore } from 'turnbuckle/stores'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram } from '../bundle-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-group-'))
let program = ''
beforeAll(async () => {
  program = await bundleProgram(new URL('./group-child.ts', import.meta.url), 'group-child')
})
afterAll(() => rmSync(program, { force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const start = (path: string, mode: string): ChildProcess =>
  spawn(process.execPath, [program, path, mode, `${path}.acks`], { stdio: ['ignore', 'ignore', 'inherit'] })
const ended = (child: ChildProcess) => new Promise(resolve => child.once('exit', (_code, signal) => resolve(signal)))
/** A line that was cut off in the middle was not told. */
const acksOf = (path: string): readonly string[] =>
  existsSync(`${path}.acks`) ? readFileSync(`${path}.acks`, 'utf8').split('\n').slice(0, -1) : []

async function withStore<Result>(path: string, use: (store: ConversationStore) => Promise<Result>): Promise<Result> {
  const store = sqliteStore(path, { onLoss() {} })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

test('a process that dies inside a group commit leaves nothing of it', async () => {
  const path = join(folder, 'inside.db')
  expect(await ended(start(path, 'inside'))).toBe('SIGKILL')
  expect(acksOf(path)).toEqual([])
  const there = await withStore(path, async store => (await store.list({ limit: 100 })).map(({ id }) => id))
  expect(there).toEqual(['before'])
})

test('of conversations that talk at the same time nothing told is lost, and no commit is half there', async () => {
  const path = join(folder, 'talk.db')
  for (const acks of [40, 90, 140, 230]) {
    const child = start(path, 'talk')
    const end = ended(child)
    const enough = acksOf(path).length + acks
    while (acksOf(path).length < enough && child.exitCode === null) await new Promise(resolve => setTimeout(resolve, 5))
    child.kill('SIGKILL')
    await end
    await withStore(path, store => check(store, acksOf(path)))
  }
})

/** Every event that was told is in the log; numbers have no gap; the tables say what the log says. */
async function check(store: ConversationStore, acks: readonly string[]): Promise<void> {
  const told = acks.map(line => JSON.parse(line) as [id: string, seq: number, type: string])
  for (const { id, seq, n } of await store.list({ limit: 100 })) {
    const events = await store.events(id)
    expect(events.map(event => event.seq)).toEqual(Array.from({ length: seq }, (_, i) => i + 1))
    for (const [, at, type] of told.filter(([of]) => of === id)) expect(events[at - 1]?.type).toBe(type)
    const added = events.flatMap(event => (event.type === 'message.added' ? [event.messageId] : []))
    expect((await store.nodes(id)).map(node => node.id)).toEqual(added)
    const open = events.filter(({ type }) => type === 'turn.started').length
    const over = events.filter(({ type }) => type === 'turn.completed').length
    expect((await store.turns({ conversation: id, status: 'open' })).length).toBe(open - over)
    expect(n).toBeGreaterThanOrEqual(seq)
  }
}
