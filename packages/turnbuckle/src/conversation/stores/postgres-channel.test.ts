import { type ConversationStore, postgresStore, type StoreNews, watchStore } from 'turnbuckle/stores'
import { channelConformance } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts'
import type { Channel } from '../channel/channel.ts'

let postgres: TestPostgres
let url: string
beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.schema('channel')
})
afterAll(() => postgres.stop())

/** A store of a test; its channel closes it. */
function channelOf(store: ConversationStore): Channel {
  const { channel } = store
  if (!channel) throw new Error('PostgreSQL has a channel.')
  let closed: unknown
  return {
    get isOpen() {
      return channel.isOpen
    },
    publish: (topic, message) => channel.publish(topic, message),
    listen: (topic, listener) => channel.listen(topic, listener),
    async close() {
      closed ??= store.close()
      await closed
    },
  }
}

channelConformance(place => channelOf(postgresStore(url, { schema: place })), test)

const opened = (...given: Parameters<typeof postgresStore>) => {
  const store = postgresStore(...given)
  onTestFinished(async () => store.close())
  return store
}

test('a connection that was cut is made again, and whoever listens is told that messages may be missing', async () => {
  const [one, two] = [opened(url), opened(url)]
  const heard: unknown[] = []
  two.channel?.listen('news', { hear: message => heard.push(message), missed: () => heard.push('missed') })
  await expect.poll(() => heard).toEqual(['missed'])
  await postgres.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'turnbuckle listen' AND datname = current_database()`,
  )
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual(['missed', 'missed'])
  one.channel?.publish('news', 'again')
  await expect.poll(() => heard).toEqual(['missed', 'missed', 'again'])
})

test('without an address to listen at it is never open, and still tells the others', async () => {
  const [deaf, hears] = [opened(url, { listen: false }), opened(url)]
  const heard: StoreNews[] = []
  watchStore(deaf, { hear: () => expect.unreachable() })
  const began = new Promise<void>(missed => watchStore(hears, { hear: news => heard.push(news), missed }))
  await began
  expect(deaf.channel?.isOpen).toBe(false)
  await deaf.set('space', 'key', 1)
  await expect.poll(() => heard).toEqual([{ type: 'set', space: 'space', key: 'key' }])
})

test('an address at which nobody listens yet is tried again until somebody does', async () => {
  const store = opened(url, { listen: 'postgres://127.0.0.1:1/nowhere' })
  let told = 0
  watchStore(store, { hear() {}, missed: () => told++ })
  await store.set('space', 'key', 1)
  expect(store.channel?.isOpen).toBe(false)
  expect(told).toBe(0)
})

test('where nothing is listened to, who would listen is told at once that all is missed', async () => {
  const store = postgresStore(url, { listen: false })
  onTestFinished(async () => void (await store.close()))
  const missed = new Promise<void>(resolve => store.channel?.listen('topic', { hear() {}, missed: resolve }))
  await expect(missed).resolves.toBeUndefined()
  expect(store.channel?.isOpen).toBe(false)
})
