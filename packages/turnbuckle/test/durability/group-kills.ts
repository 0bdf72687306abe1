import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ConversationStore, sqliteStore } from 'turnbuckle/stores'
import { bundleProgram, root } from '../bundle-program.ts'
import { bundleThread } from '../bundle-thread.ts'
import type { GroupDeath } from './mortal-database.ts'

export const groupDeaths: readonly GroupDeath[] = ['write', 'commit', 'acknowledge']

/** A program with conversations that talk at the same time, and a SQLite thread that dies where it is told. `here`: the folder of this file. */
export async function bundleMortal(here: string): Promise<string> {
  const home = join(root, 'node_modules/.cache/turnbuckle-mortal')
  const program = await bundleProgram(join(here, 'group-child.ts'), 'group-child', home)
  await bundleThread(dirname(program), join(here, 'mortal-database.ts'))
  return program
}

/** A line that was cut off in the middle was not told. */
export const acksOf = (path: string): readonly string[] =>
  existsSync(`${path}.acks`) ? readFileSync(`${path}.acks`, 'utf8').split('\n').slice(0, -1) : []

export async function withStore<Result>(
  path: string,
  use: (store: ConversationStore) => Promise<Result>,
): Promise<Result> {
  const store = sqliteStore(path, { onLoss() {} })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/**
 * Has conversations talk until their process dies in a group commit. Throws where something that was told is lost, and
 * where a part of that group is there: before its commit none of it is, afterwards all.
 */
export async function killInGroup(program: string, path: string, death: GroupDeath, group: number): Promise<void> {
  const seen = `${path}.${death}-${group}`
  const env = { ...process.env, TURNBUCKLE_DEATH: `${death} ${group} ${seen}` }
  const child = spawn(process.execPath, [program, path, 'talk', `${path}.acks`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  })
  const signal = await new Promise(resolve => child.once('exit', (_code, by) => resolve(by)))
  assert.equal(signal, 'SIGKILL')
  const { before, after } = JSON.parse(readFileSync(seen, 'utf8')) as { before: Place[]; after: Place[] }
  assert.notDeepEqual(after, before)
  await withStore(path, async store => {
    const rows = await store.list({ limit: 100 })
    const there = rows.map(({ id, seq, n }) => ({ id, seq, n })).sort((a, b) => (a.id < b.id ? -1 : 1))
    assert.deepEqual(there, death === 'acknowledge' ? after : before)
    await checkTold(store, acksOf(path))
  })
}

interface Place {
  readonly id: string
  readonly seq: number
  readonly n: number
}

/** Throws unless every event that was told is in the log, numbers have no gap, and the tables say what the log says. */
export async function checkTold(store: ConversationStore, acks: readonly string[]): Promise<void> {
  const told = acks.map(line => JSON.parse(line) as [id: string, seq: number, type: string])
  const rows = await store.list({ limit: 100 })
  for (const [id] of told) assert.ok(rows.some(row => row.id === id))
  for (const { id, seq, n } of rows) {
    const events = await store.events(id)
    assert.deepEqual(
      events.map(event => event.seq),
      Array.from({ length: seq }, (_, i) => i + 1),
    )
    for (const [, at, type] of told.filter(([of]) => of === id)) assert.equal(events[at - 1]?.type, type)
    const added = events.flatMap(event => (event.type === 'message.added' ? [event.messageId] : []))
    assert.deepEqual(
      (await store.nodes(id)).map(node => node.id),
      added,
    )
    const open = events.filter(({ type }) => type === 'turn.started').length
    const over = events.filter(({ type }) => type === 'turn.completed').length
    assert.equal((await store.turns({ conversation: id, status: 'open' })).length, open - over)
    assert.ok(n >= seq)
  }
}
