import { channelHub } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { Commit } from '../stores/driver.ts'
import { announce, newsOf, type StoreNews, watchStore } from './store-news.ts'

const commit = (records: readonly { type: string; seq?: number }[], release = false) =>
  newsOf({ conversation: 'c', records, release } as unknown as Commit)

test.each([
  { what: 'nothing', records: [], is: undefined },
  { what: 'a private record', records: [{ type: 'checkpoint' }], is: undefined },
  { what: 'a message', records: [{ type: 'message.added', seq: 4 }], is: { seq: 4, isListed: false } },
  {
    what: 'a turn and a private record behind it',
    records: [{ type: 'turn.started', seq: 5 }, { type: 'checkpoint' }],
    is: { seq: 5, isListed: true },
  },
])('a commit of $what is news as far as others can read it', ({ records, is }) => {
  expect(commit(records)).toEqual(is && { type: 'written', conversation: 'c', isReleased: false, ...is })
})

test('letting go of a log is news without a record', () => {
  expect(commit([], true)).toMatchObject({ type: 'written', isReleased: true })
})

test('news reach whoever watches a store of the same channel, until it stops', async () => {
  const hub = channelHub()
  const [sender, channel] = [hub.join(), hub.join()]
  const heard: StoreNews[] = []
  const stop = watchStore({ channel }, { hear: news => heard.push(news) })
  announce(sender, { type: 'deleted', conversation: 'c' })
  announce(sender, undefined)
  await expect.poll(() => heard).toEqual([{ type: 'deleted', conversation: 'c' }])
  stop()
  announce(sender, { type: 'deleted', conversation: 'd' })
  expect(watchStore({}, { hear() {} })()).toBeUndefined()
  expect(heard).toHaveLength(1)
})
