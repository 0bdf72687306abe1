import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createAgent, type Event, tool } from 'turnbuckle'
import { type ConversationStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../../same/random.ts'
import { RecordedDisk } from './recorded-disk.ts'
import { wasmStore } from './wasm-store.ts'

// A sample; `npm run test:power` has 2,000 cuts.
const cuts = Number(process.env['TURNBUCKLE_POWER'] ?? 24)
const seed = Number(process.env['TURNBUCKLE_SEED'] ?? 19)
const conversations = ['a', 'b', 'c']

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-power-'))
const path = join(folder, 'conversations.db')
/** Events as they were told, and the moment of the disk at which they were. */
const heard: { readonly id: string; readonly event: Event; readonly moment: number }[] = []
let disk: RecordedDisk

const agentOn = (store: ConversationStore) => {
  const look = tool({ name: 'look', idempotent: true, run: () => 'seen '.repeat(400) })
  const model = scriptedModel([{ text: 'Looking. '.repeat(60), calls: [{ name: 'look' }] }, 'Done.'], { repeat: true })
  return createAgent({ model, tools: [look], store })
}

/** Turns in several conversations, side by side, over three lives of a process. */
beforeAll(async () => {
  disk = new RecordedDisk(folder)
  for (let life = 0; life < 3; life++) {
    const store = wasmStore(path)
    const agent = agentOn(store)
    const chats = await Promise.all(conversations.map(id => agent.open(id)))
    for (const chat of chats)
      chat.subscribe(event => {
        if (event.seq !== undefined) heard.push({ id: chat.id, event, moment: disk.moment })
      })
    for (let round = 0; round < 4; round++)
      await Promise.all(chats.map(chat => chat.send(`Go ${life}.${round}.`).settled))
    await agent.close()
    await store.close()
  }
  disk[Symbol.dispose]()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The files after a cut, in a folder of their own; the path of the database. */
function filesAfter(moment: number, random: Random, heedsSyncs: boolean): string {
  const place = mkdtempSync(join(folder, 'cut-'))
  for (const [name, content] of disk.cutAt(moment, random, heedsSyncs))
    writeFileSync(join(place, basename(name)), content)
  return join(place, basename(path))
}

async function closeAnyway(store: ConversationStore | undefined): Promise<void> {
  try {
    await store?.close()
  } catch {
    // A damaged file: that was noticed before.
  }
}

/** What is not right after the power was cut. */
async function problemsAfter(moment: number, random: Random, heedsSyncs = true): Promise<string[]> {
  const file = filesAfter(moment, random, heedsSyncs)
  let store: ConversationStore | undefined
  try {
    // Of a text that was torn in its middle, libsql ends the whole process.
    store = heedsSyncs ? sqliteStore(file, { onLoss() {} }) : wasmStore(file)
    for (const id of conversations) {
      const told = heard.filter(one => one.id === id && one.moment <= moment).map(({ event }) => event)
      const kept = await store.events(id)
      expect(kept.slice(0, told.length), `events of ${id}`).toEqual(told)
      expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, i) => i + 1))
    }
    const agent = agentOn(store)
    const chat = await agent.open('a')
    for (const turn of chat.unfinished.length ? [agent.resume('a')] : []) await turn?.settled
    const { status } = await (await agent.open('a')).send('Go on.').settled
    expect(status).toBe('completed')
    await agent.close()
    await store.close()
    return []
  } catch (error) {
    return [`cut at ${moment}: ${(error as Error).message}${store?.loss ? ` (${store.loss.message})` : ''}`]
  } finally {
    await closeAnyway(store)
    rmSync(dirname(file), { recursive: true, force: true })
  }
}

test(`after ${cuts} power cuts nothing that was told is lost, and conversations go on`, async () => {
  const random = new Random(seed)
  const wrong: string[] = []
  for (let i = 0; i < cuts; i++) wrong.push(...(await problemsAfter(random.below(disk.moment + 1), random)))
  expect(wrong.slice(0, 5)).toEqual([])
  expect(heard.length).toBeGreaterThan(300)
}, 3_600_000)

test('a disk that says it has what it has not is noticed', async () => {
  const random = new Random(seed)
  const wrong: string[] = []
  for (let i = 0; i < 10; i++) wrong.push(...(await problemsAfter(disk.moment - i, random, false)))
  expect(wrong.length).toBeGreaterThan(0)
})
