import { refuses, same } from '../expect.ts'
import { added, commit, type Fact, grown, otherHost } from './fact.ts'

/** A log has one writer at a time, by lease and token. */
export const writerFacts: readonly Fact[] = [
  {
    title: 'while a writer lives another is refused; the same one may begin again',
    async prove({ store }) {
      const fence = await grown(store, { holder: otherHost })
      await refuses('conversation.locked', () => store.driver.commit(commit([], { holder: 'b' })))
      const again = await store.driver.commit(commit([], { holder: otherHost }))
      same(again.fence > fence, true, 'a greater token')
    },
  },
  {
    title: 'a writer that was silent for too long is taken over, and refused when it wakes up',
    async prove({ store }) {
      const stale = await grown(store, { holder: otherHost, leaseMs: -1 })
      const { fence } = await store.driver.commit(commit([], { holder: 'b' }))
      same(fence > stale, true, 'a greater token')
      await refuses('store.fenced', () =>
        store.driver.commit(commit([added(5, 'm5', 'm4')], { holder: otherHost, fence: stale })),
      )
      same(await store.driver.renew('c', otherHost, stale, 60_000), false, 'a stale renewal')
      same(await store.driver.renew('c', 'b', fence, 60_000), true, 'a renewal')
      same((await store.conversation('c'))?.seq, 4, 'what the stale one has written')
    },
  },
  {
    title: 'a renewed lease holds',
    async prove({ store }) {
      const fence = await grown(store, { holder: otherHost, leaseMs: -1 })
      await store.driver.renew('c', otherHost, fence, 60_000)
      await refuses('conversation.locked', () => store.driver.commit(commit([], { holder: 'b' })))
    },
  },
  {
    title: 'who lets go is followed at once',
    async prove({ store }) {
      const fence = await grown(store, { holder: otherHost, release: true })
      same(await store.driver.renew('c', otherHost, fence, 60_000), false, 'a renewal that comes too late')
      await store.driver.commit(commit([added(5, 'm5', 'm4')], { holder: 'b' }))
      const row = await store.conversation('c')
      same([row?.seq, row?.head], [5, 'm4'], 'the next event, and the head that nobody has moved')
    },
  },
  {
    title: 'of two that begin at once one becomes the writer',
    async prove({ store, another }) {
      const other = await another()
      const tries = await Promise.allSettled([
        (async () => store.driver.commit(commit([added(1, 'm1')], { holder: 'elsewhere/1/a' })))(),
        (async () => other.driver.commit(commit([added(1, 'm1')], { holder: 'elsewhere/2/b' })))(),
      ])
      same(tries.filter(({ status }) => status === 'fulfilled').length, 1, 'writers')
      same((await store.events('c')).length, 1, 'events')
    },
  },
]
