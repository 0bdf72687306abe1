import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, textOf } from 'turnbuckle'
import {
  createStore,
  type Driver,
  exportConversation,
  type Loss,
  memoryStore,
  type NodeRow,
  sqliteStore,
} from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-gaps-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const marker = '[Messages are missing here: the store is damaged.]'
const model = () => scriptedModel([({ messages }) => `Answer ${messages.length}.`], { repeat: true })

/** The driver, with a message gone from what it reads. */
function without(driver: Driver, lost: string, later: boolean): Driver {
  const kept = (rows: readonly NodeRow[]) => rows.slice(rows.findLastIndex(({ id }) => id === lost) + 1)
  const read = {
    path: (...asked: Parameters<Driver['path']>) => kept(driver.path(...asked) as readonly NodeRow[]),
    nodes: (id: string) => (driver.nodes(id) as readonly NodeRow[]).filter(row => row.id !== lost),
  }
  return new Proxy(driver, {
    get(target, name) {
      const member = (read as Record<string | symbol, unknown>)[name] ?? Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const value = member.apply(target, args)
        return later ? Promise.resolve(value) : value
      }
    },
  })
}

async function written(turns: number) {
  const { driver } = memoryStore()
  const chat = createAgent({ model: model(), store: createStore(driver) }).conversation('c')
  for (let i = 0; i < turns; i++) await chat.send(`Turn ${i}.`)
  return { driver, messages: chat.messages }
}

describe.each([
  { name: 'at once', later: false },
  { name: 'later', later: true },
])('a message that is missing from a store that answers $name', ({ later }) => {
  const damaged = async (turns: number, at: number) => {
    const { driver, messages } = await written(turns)
    const told: Loss[] = []
    const lost = messages.at(at)?.id ?? ''
    const store = createStore(without(driver, lost, later), { onLoss: loss => told.push(loss) })
    return { store, told, messages, lost, agent: createAgent({ model: model(), store }) }
  }

  test.each([
    { where: 'near the end', turns: 4, at: -3 },
    { where: 'before the page that is read first', turns: 60, at: 10 },
    { where: 'where the conversation is', turns: 2, at: -1 },
  ])('$where: what follows it is shown behind a marker, and the loss is told once', async ({ turns, at }) => {
    const { store, told, messages, lost, agent } = await damaged(turns, at)
    const chat = await agent.open('c')
    await chat.load()
    const [first, ...rest] = chat.messages
    expect(first).toEqual({ id: lost, role: 'system', content: [{ type: 'text', text: marker }], by: 'store' })
    expect(rest).toEqual(messages.slice(messages.findIndex(({ id }) => id === lost) + 1))
    const ids = new Set(chat.tree.map(({ id }) => id))
    expect(chat.tree.filter(({ parentId }) => parentId !== undefined && !ids.has(parentId))).toEqual([])
    for (const format of ['json', 'md'] as const) expect(await exportConversation(store, 'c', format)).toContain(marker)
    expect(told.length).toBe(1)
    expect(store.loss?.message).toContain(lost)
  })

  test('nobody goes on behind it, and nothing is written', async () => {
    const { store, agent } = await damaged(4, -3)
    const before = await store.events('c')
    const chat = await agent.open('c')
    const refused = { code: 'store.damaged', kind: 'store' }
    expect(await chat.send('On.').settled).toMatchObject({ status: 'failed', by: 'store', error: refused })
    await expect(chat.emit({ type: 'my.news' })).rejects.toMatchObject(refused)
    expect(await store.events('c')).toEqual(before)
    await chat.delete()
    expect(await (await agent.open('c')).send('Anew.')).toMatchObject({ status: 'completed' })
  })

  test('a turn that comes upon it fails; a model is not asked', async () => {
    const { store, messages, lost } = await damaged(60, 10)
    const asked = scriptedModel(['Never.'])
    const chat = await createAgent({ model: asked, store }).open('c')
    expect(await chat.send('On.').settled).toMatchObject({ status: 'failed', error: { code: 'store.damaged' } })
    expect(asked.prompts).toEqual([])
    const again = await createAgent({ model: asked, store }).open('c')
    await again.load()
    expect(again.messages[0]?.id).toBe(lost)
    expect(again.messages.length).toBeGreaterThanOrEqual(messages.length - 10)
  })
})

test.each([
  { name: 'taken out', damage: 'DELETE FROM nodes WHERE depth = 3' },
  {
    name: 'put behind itself',
    damage: 'UPDATE nodes SET parent = (SELECT id FROM nodes WHERE depth = 6) WHERE depth = 4',
  },
])('a row of the SQLite file that somebody has $name is such a gap', async ({ name, damage }) => {
  const path = join(folder, `${name}.db`)
  const sound = sqliteStore(path)
  const chat = createAgent({ model: model(), store: sound }).conversation('c')
  for (let i = 0; i < 3; i++) await chat.send(`Turn ${i}.`)
  await sound.close()
  const Database = createRequire(import.meta.url)('libsql')
  const database = new Database(path)
  database.exec(damage)
  database.close()
  const told: Loss[] = []
  const store = sqliteStore(path, { onLoss: loss => told.push(loss) })
  const read = await createAgent({ model: model(), store }).open('c')
  expect(read.messages.map(textOf)).toEqual([marker, ...chat.messages.slice(3).map(textOf)])
  expect(read.tree.length).toBe(6)
  expect([told.length, store.loss?.message]).toEqual([1, told[0]?.message])
  await store.close()
})
