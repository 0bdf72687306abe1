import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, type Message, tool } from 'turnbuckle'
import { type ConversationStore, postgresStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-stale-'))
let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

let files = 0
const databases: Record<string, () => Promise<() => ConversationStore>> = {
  async SQLite() {
    const path = join(folder, `${files++}.db`)
    return () => sqliteStore(path, { waitMs: 60_000 })
  },
  async PostgreSQL() {
    const url = await postgres.schema('stale')
    return () => postgresStore(url, { waitMs: 60_000 })
  },
}

const said = (messages: readonly Message[]): string[] =>
  messages.map(({ content }) => content.map(part => (part.type === 'text' ? part.text : part.type)).join())

describe.each(Object.entries(databases))('what another process has said meanwhile, on %s', (_name, make) => {
  /** Two processes, each with the conversation open before either has said anything. */
  async function both() {
    const open = await make()
    const stores = [open(), open()] as const
    const models = [scriptedModel(['A1.', 'A2.']), scriptedModel(['B1.', 'B2.'])] as const
    const [first, second] = [0, 1].map(i => {
      const [model, store] = [models[i as 0], stores[i as 0]]
      return createAgent({ model, store, tools: [tool({ name: 'x', run: () => 'y' })] })
    }) as [ReturnType<typeof createAgent>, ReturnType<typeof createAgent>]
    const chats = [await first.open('c'), await second.open('c')] as const
    const close = () => Promise.all(stores.map(store => store.close()))
    return { stores, models, first, second, chats, close }
  }

  test('a handle that follows the conversation goes on from it', async () => {
    const { models, chats, close, stores } = await both()
    await chats[0].send('one')
    await chats[1].send('two')
    expect(said(models[1].prompts[0]?.messages ?? [])).toEqual(['one', 'A1.', 'two'])
    expect(said(chats[1].messages)).toEqual(['one', 'A1.', 'two', 'B1.'])
    await chats[0].send('three')
    expect(said(models[0].prompts[1]?.messages ?? [])).toEqual(['one', 'A1.', 'two', 'B1.', 'three'])
    const row = await stores[1].conversation('c')
    expect(said((await stores[1].path('c', row?.head ?? '')).map(({ message }) => message))).toEqual(
      said(chats[0].messages),
    )
    await close()
  })

  test('one that waits for the other to end goes on from its end', async () => {
    const { models, chats, close } = await both()
    const turns = [chats[0].send('one'), chats[1].send('two')]
    await Promise.all(turns)
    const prompts = models.map(({ prompts }) => said(prompts[0]?.messages ?? []))
    expect(prompts.toSorted((a, b) => a.length - b.length).map(({ length }) => length)).toEqual([1, 3])
    await close()
  })

  test('a fork stays where it was made', async () => {
    const { models, chats, close, stores } = await both()
    const fork = chats[1].fork()
    await chats[0].send('one')
    await fork.send('two')
    expect(said(models[1].prompts[0]?.messages ?? [])).toEqual(['two'])
    expect((await stores[0].nodes('c')).length).toBe(4)
    await close()
  })

  test('opening it again shows it', async () => {
    const { chats, second, close } = await both()
    await chats[0].send('one')
    expect(said((await second.open('c')).messages)).toEqual(['one', 'A1.'])
    await close()
  })

  test('a conversation that another process has deleted is not begun anew behind the back of who had it open', async () => {
    const { stores, models, first, second, chats, close } = await both()
    await chats[0].send('one')
    const stale = await second.open('c')
    await chats[0].delete()
    const result = await stale.send('two').settled
    expect(result).toMatchObject({ status: 'failed', by: 'store', error: { code: 'conversation.deleted' } })
    expect(models[1].prompts.length).toBe(0)
    expect(await stores[0].conversation('c')).toBe(undefined)
    expect((await first.open('c')).messages).toEqual([])
    const anew = await second.open('c')
    await anew.send('three')
    expect(said(anew.messages)).toEqual(['three', 'B1.'])
    await close()
  })
})
