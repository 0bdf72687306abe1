import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Usage } from 'turnbuckle'
import { type ConversationStore, postgresStore, sqliteStore } from 'turnbuckle/stores'
import { checkHistory } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram } from '../bundle-program.ts'
import { startPostgres, type TestPostgres } from '../postgres.ts'
import type { Duellist } from './duel-child.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-duel-'))
let child: string
let postgres: TestPostgres
beforeAll(async () => {
  child = await bundleProgram(new URL('duel-child.ts', import.meta.url), 'duel-child')
  postgres = await startPostgres()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(child, { force: true })
  await postgres.stop()
})

/** A process of its own. Gives what it told; is killed when it has told so much. */
function play(duellist: Duellist, most = Infinity): Promise<string[]> {
  const program = spawn(process.execPath, [child, JSON.stringify(duellist)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const told: string[] = []
  let wrong = ''
  program.stderr.on('data', data => {
    wrong += data
  })
  createInterface({ input: program.stdout }).on('line', line => {
    if (told.push(line) >= most) program.kill('SIGKILL')
  })
  return new Promise((resolve, reject) =>
    program.on('close', () => (wrong ? reject(new Error(`seed ${duellist.seed}: ${wrong}`)) : resolve(told))),
  )
}

const isEnd = (type: string): boolean => /^turn\.(completed|stopped|failed|interrupted)$/.test(type)

/** What is wrong with the log. */
async function faultsOf(store: ConversationStore, told: readonly string[]): Promise<string[]> {
  const [events, nodes] = [await store.events('c'), await store.nodes('c')]
  const lines = new Set(events.map(({ seq, type }) => `${seq} ${type}`))
  const faults = told.filter(line => !lines.has(line)).map(line => `${line} was told, and is not in the log`)
  const followed = new Set(nodes.map(({ parent }) => parent))
  for (const { id } of nodes.filter(node => !followed.has(node.id)))
    faults.push(...checkHistory((await store.path('c', id)).map(({ message }) => message)))
  let spent = 0
  for (const { id, status } of await store.turns({ conversation: 'c' })) {
    const own = events.filter(({ turnId, type }) => turnId === id && type !== 'tool.late')
    if (own.filter(({ type }) => isEnd(type)).length !== 1 || !isEnd(own.at(-1)?.type ?? ''))
      faults.push(`${id} (${status}) does not end with its one end`)
    for (const event of own) if (isEnd(event.type)) spent += (event as unknown as { usage: Usage }).usage.inputTokens
  }
  const row = await store.conversation('c')
  if (row?.usage.inputTokens !== spent) faults.push(`${row?.usage.inputTokens} tokens in all, ${spent} of its turns`)
  if (store.loss?.path === undefined && store.loss) faults.push(store.loss.message)
  return [...faults, ...(await store.requests()).map(({ id }) => `${id} is still open`)]
}

const seeds = Array.from({ length: Number(process.env['DUELS'] ?? 2) }, (_, i) => Number(process.env['SEED'] ?? 1) + i)

test.each(seeds.flatMap(seed => (['sqlite', 'postgres'] as const).map(kind => ({ seed, kind }))))(
  'three processes on one conversation, two of them killed, leave one whole log: $kind, seed $seed',
  async ({ seed, kind }) => {
    const url = kind === 'sqlite' ? join(folder, `${seed}.db`) : await postgres.schema('duel')
    const duellist = (i: number, moves = 40): Duellist => ({ kind, url, seed: seed * 10 + i, moves })
    const told = await Promise.all([play(duellist(0)), play(duellist(1), 40 + seed), play(duellist(2), 90 + seed * 3)])
    told.push(await play(duellist(3, 0)))
    const store = (kind === 'sqlite' ? sqliteStore : postgresStore)(url, { onLoss() {} })
    expect(await faultsOf(store, told.flat())).toEqual([])
    expect((await store.turns({ conversation: 'c' })).length).toBeGreaterThan(10)
    await store.close()
  },
)
