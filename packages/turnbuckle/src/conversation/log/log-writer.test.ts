import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import type { Log, LoggedConversation, LogLoss, LogRecord } from '../../core/durable/log-port.ts'

/** A log of the conversation `c`, and its losses so far. */
function open(store: { attach(conversation: LoggedConversation): Log | Promise<Log> }) {
  const losses: LogLoss[] = []
  const log = store.attach({
    id: 'c',
    owner: undefined,
    headId: () => undefined,
    unwritten: () => [],
    caller: () => undefined,
    onLost: loss => losses.push(loss),
  }) as Log
  return { log, losses }
}

const event = (seq: number): LogRecord => ({ seq, turn: undefined, type: 'my.news', body: { at: seq } })
const partial = (messageId: string, text: string): LogRecord => ({
  seq: undefined,
  turn: 't',
  type: 'note.sketch',
  body: { messageId, text, reasoning: false },
})

test('a record is delivered when it is durable, and not before', async () => {
  const store = memoryStore()
  const { log } = open(store)
  log.read('newsToWrite')
  const kept: unknown[] = []
  log.append(event(1), async () => kept.push(await store.events('c')))
  log.append(undefined, () => kept.push('behind it'))
  expect(kept).toEqual([])
  await log.barrier()
  expect(kept).toEqual(['behind it', [expect.objectContaining({ type: 'my.news', seq: 1 })]])
})

test('without a record that waits, news are delivered at once', () => {
  const { log } = open(memoryStore())
  let told = false
  log.append(undefined, () => {
    told = true
  })
  expect(told).toBe(true)
})

test('records wait until this is the writer', async () => {
  const store = memoryStore()
  const { log } = open(store)
  log.append(event(1))
  await log.barrier()
  expect(await store.events('c')).toEqual([])
  log.read('newsToWrite')
  await log.barrier()
  expect(await store.events('c')).toHaveLength(1)
})

test('text of a growing reply is one record, and none when the reply is recorded before the commit', async () => {
  const store = memoryStore()
  const { log } = open(store)
  log.read('newsToWrite')
  for (const text of ['Hel', 'lo']) log.append(partial('m', text), undefined, 50)
  log.append(partial('n', 'Gone.'), undefined, 50)
  log.append({ seq: 1, turn: 't', type: 'message.discarded', body: { messageId: 'n', at: 1 } })
  await log.barrier()
  const records = await store.driver.records('c', { turn: 't' })
  expect(records.map(({ body }) => body['text'])).toEqual(['Hello', undefined])
})

test('changes that another writer has made are read as plain data', async () => {
  const store = memoryStore()
  const { log: first } = open(store)
  const { log: second } = open(store)
  expect(second.read('news')).toEqual({ status: 'unchanged' })
  first.read('newsToWrite')
  first.append({ seq: 1, turn: undefined, type: 'title.changed', body: { to: 'A title', at: 1 } })
  await first.release({ to: 'leave', isIdle: () => true })
  expect(second.read('news')).toMatchObject({
    status: 'changed',
    contents: { seq: 1, title: 'A title', unfinished: [] },
  })
  expect(second.read('news')).toEqual({ status: 'unchanged' })
})

test('a release that finds somebody at work keeps the lease', async () => {
  const store = memoryStore({ waitMs: 0 })
  const { log: first } = open(store)
  const { log: second } = open(store)
  first.read('newsToWrite')
  await first.release({ to: 'leave', isIdle: () => false })
  await expect(async () => second.read('newsToWrite')).rejects.toMatchObject({ code: 'conversation.locked' })
  await first.release({ to: 'leave', isIdle: () => true })
  expect(second.read('newsToWrite')).toEqual({ status: 'unchanged' })
})

test('a conversation that was deleted elsewhere is a loss, as a value and told once', async () => {
  const store = memoryStore()
  const { log, losses } = open(store)
  log.read('newsToWrite')
  log.append(event(1))
  await log.release({ to: 'leave', isIdle: () => true })
  log.read('news')
  await store.delete('c')
  const lost = { status: 'lost', why: 'deleted', error: { code: 'conversation.deleted' } }
  expect(log.read('newsToWrite')).toMatchObject(lost)
  expect(log.read('news')).toMatchObject(lost)
  expect(losses).toHaveLength(1)
  await expect(log.barrier()).rejects.toMatchObject({ code: 'conversation.deleted' })
  expect(await store.conversation('c')).toBeUndefined()
})

test('a commit that fails is a loss, and delivers nothing', async () => {
  const store = memoryStore()
  const { log, losses } = open(store)
  log.read('newsToWrite')
  let told = false
  // The number does not follow the last one.
  log.append(event(7), () => {
    told = true
  })
  await expect(log.barrier()).rejects.toMatchObject({ code: 'store.conflict' })
  expect(losses).toMatchObject([{ why: 'failed', error: { code: 'store.conflict' } }])
  expect(told).toBe(false)
})

test('a deletion that somebody waits to write behind is a loss for them', async () => {
  const { log, losses } = open(memoryStore())
  log.read('newsToWrite')
  await log.release({ to: 'delete', isAwaited: true })
  expect(losses).toMatchObject([{ why: 'deleted' }])
  expect(log.read('newsToWrite')).toMatchObject({ status: 'lost' })
})

test('who writes again, after nobody else has written, does not read the conversation again', async () => {
  const store = memoryStore()
  const { log } = open(store)
  log.read('newsToWrite')
  log.append(event(1))
  await log.release({ to: 'leave', isIdle: () => true })
  await log.read('news')
  let reads = 0
  const { driver } = store
  const read = driver.conversation.bind(driver)
  driver.conversation = id => {
    reads++
    return read(id)
  }
  expect(await log.read('newsToWrite')).toEqual({ status: 'unchanged' })
  expect(reads).toBe(0)
})

test('a flush for a reply that was committed long ago does not commit what waits for a barrier now', async () => {
  const store = memoryStore()
  const { log } = open(store)
  log.read('newsToWrite')
  log.append(partial('m', 'Hel'), undefined, 5)
  await log.barrier()
  log.append(event(1))
  await new Promise(resolve => setTimeout(resolve, 30))
  expect(await store.events('c')).toEqual([])
  await log.barrier()
  expect(await store.events('c')).toHaveLength(1)
})
