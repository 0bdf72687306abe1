import { refuses, same } from '../expect.ts'
import { added, commit, event, type Fact, grown, ids } from './fact.ts'

/** Two conversations are of one moment where the clock has not moved between them. */
async function nextMillisecond(): Promise<void> {
  for (const begun = Date.now(); Date.now() <= begun; ) await new Promise(resolve => setTimeout(resolve))
}

/** The list of conversations, search, and small values. */
export const shelfFacts: readonly Fact[] = [
  {
    title: 'conversations are listed newest first, by owner, page by page',
    async prove({ store }) {
      for (const [conversation, owner] of [
        ['c1', 'ann'],
        ['c2', 'bob'],
        ['c3', 'ann'],
      ] as const) {
        await store.driver.commit(commit([added(1, 'm1')], { conversation, owner }))
        await nextMillisecond()
      }
      const all = await store.list()
      same(ids(all), ['c3', 'c2', 'c1'], 'all')
      same(ids(await store.list({ owner: 'ann' })), ['c3', 'c1'], 'of ann')
      same(ids(await store.list({ limit: 1 })), ['c3'], 'the first page')
      const [last] = all
      same(ids(await store.list(last ? { before: last } : {})), ['c2', 'c1'], 'the next page')
    },
  },
  {
    title: 'switching middleware does not move a conversation in the list',
    async prove({ store }) {
      for (const conversation of ['c1', 'c2']) {
        await store.driver.commit(commit([added(1, 'm1')], { conversation }))
        await nextMillisecond()
      }
      const before = await store.conversation('c1')
      const { fence } = await store.driver.commit(
        commit([event(2, 'middleware.changed', { name: 'x', enabled: false })], { conversation: 'c1', release: true }),
      )
      same((await store.conversation('c1'))?.updatedAt, before?.updatedAt, 'the time of the last activity')
      same(ids(await store.list()), ['c2', 'c1'], 'the list')
      await store.driver.commit(commit([added(3, 'm2', 'm1')], { conversation: 'c1', fence }))
      same(ids(await store.list()), ['c1', 'c2'], 'the list after a message')
    },
  },
  {
    title: 'a conversation keeps the caller that it was made with',
    async prove({ store }) {
      const { fence } = await store.driver.commit(commit([added(1, 'm1')], { caller: 't7' }))
      await store.driver.commit(commit([added(2, 'm2', 'm1')], { fence, caller: 't8' }))
      await store.driver.commit(commit([added(1, 'm1')], { conversation: 'd' }))
      same((await store.conversation('c'))?.caller, 't7', 'the caller')
      const listed = Object.fromEntries((await store.list()).map(({ id, caller }) => [id, caller]))
      same([listed['c'], listed['d']], ['t7', undefined], 'the callers in the list')
    },
  },
  {
    title: 'pages of the list lack nothing and repeat nothing, also where many conversations are of one moment',
    async prove({ store }) {
      const wanted = Array.from({ length: 12 }, (_, i) => `c${String(i).padStart(2, '0')}`)
      for (const conversation of wanted) await store.driver.commit(commit([added(1, 'm1')], { conversation }))
      const seen: string[] = []
      for (let page = await store.list({ limit: 2 }); page.length && seen.length < 100; ) {
        seen.push(...ids(page))
        const [before] = page.slice(-1)
        page = before ? await store.list({ limit: 2, before }) : []
      }
      same(seen.toSorted(), wanted, 'all pages together')
    },
  },
  {
    title: 'a title is the last one given',
    async prove({ store }) {
      await store.driver.commit(
        commit([event(1, 'title.changed', { to: 'One' }), event(2, 'title.changed', { to: 'Two' })]),
      )
      same((await store.conversation('c'))?.title, 'Two', 'the title')
    },
  },
  {
    title: 'text is found whatever its case, in any script; signs of the pattern language mean themselves',
    async prove({ store }) {
      await store.driver.commit(commit([added(1, 'm1', undefined, 'Oslo is 100% sunny')], { owner: 'ann' }))
      await store.driver.commit(commit([added(1, 'm2', undefined, 'oslo_rain')], { conversation: 'd', owner: 'bob' }))
      const found = async (words: string, owner?: string) =>
        (await store.search({ text: words, ...(owner ? { owner } : {}) })).map(({ node }) => node.id).sort()
      same(await found('OSLO'), ['m1', 'm2'], 'OSLO')
      same(await found('oslo', 'bob'), ['m2'], 'oslo of bob')
      same(await found('0%'), ['m1'], '0%')
      same(await found('o_r'), ['m2'], 'o_r')
      same(await found('o%r'), [], 'o%r')
      await store.driver.commit(commit([added(1, 'm3', undefined, 'ÉCLAIR aus Österreich')], { conversation: 'e' }))
      for (const words of ['Éclair', 'ÖSTERREICH', 'österreich']) same(await found(words), ['m3'], words)
    },
  },
  {
    title: 'a deleted conversation leaves nothing, and its writer may not go on',
    async prove({ store }) {
      const fence = await grown(store)
      await store.driver.commit(commit([added(1, 'm1')], { conversation: 'd' }))
      await store.delete('c')
      same(await store.conversation('c'), undefined, 'the conversation')
      same([(await store.nodes('c')).length, (await store.events('c')).length], [0, 0], 'messages and events')
      await refuses('store.fenced', () => store.driver.commit(commit([added(5, 'm5')], { fence })))
      same(ids(await store.list()), ['d'], 'what is left')
    },
  },
  {
    title: 'small values are kept by name, until they expire or are removed',
    async prove({ store, another }) {
      await store.set('space', 'b', { deep: [1, null] })
      await store.set('space', 'a', 'first')
      await store.set('space', 'a', 'second')
      await store.set('space', 'gone', 1, Date.now() - 1)
      await store.set('other', 'a', 2)
      const reader = await another()
      same(
        await reader.entries('space'),
        [
          ['a', 'second'],
          ['b', { deep: [1, null] }],
        ],
        'entries',
      )
      same(await reader.get('space', 'gone'), undefined, 'what has expired')
      await store.set('space', 'a', undefined)
      same(await reader.get('space', 'a'), undefined, 'what was removed')
    },
  },
]
