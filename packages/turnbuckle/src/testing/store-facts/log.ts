import { refuses, same } from '../expect.ts'
import { added, commit, event, type Fact, grown, ids, note, text } from './fact.ts'

/** Reading a log gives what was committed. */
export const logFacts: readonly Fact[] = [
  {
    title: 'what was committed is read back in order',
    async prove({ store }) {
      const records = [event(1, 'turn.started'), note('turn', { message: text('m1', 'x') }), added(2, 'm1')]
      await store.driver.commit(commit(records))
      const read = await store.driver.records('c', { turn: 't1' })
      same(
        read.map(({ seq, type, body }) => ({ seq, type, body })),
        records.map(({ seq, type, body }) => ({ seq, type, body })),
        'records',
      )
      same(
        read.map(({ n }) => n),
        [1, 2, 3],
        'their places',
      )
    },
  },
  {
    title: 'events are read from a number on, page by page, without the private notes',
    async prove({ store }) {
      await grown(store)
      const { fence } = await store.driver.commit(commit([note('raw', { callId: 'x' })]))
      await store.driver.commit(commit([added(5, 'm5', 'm4')], { fence }))
      same(
        (await store.events('c', 2)).map(({ seq }) => seq),
        [3, 4, 5],
        'events after 2',
      )
      same(
        (await store.events('c', 0, 2)).map(({ seq }) => seq),
        [1, 2],
        'the first page',
      )
      same((await store.events('nobody')).length, 0, 'events of an unknown conversation')
    },
  },
  {
    title: 'another process reads what was committed',
    async prove({ store, another }) {
      await grown(store)
      const other = await another()
      same((await other.conversation('c'))?.seq, 4, 'its last number')
      same(ids(await other.nodes('c')), ['m1', 'm2', 'm3', 'm4'], 'its messages')
    },
  },
  {
    title: 'a gap, or a number used twice, is refused, and nothing of that commit is kept',
    async prove({ store }) {
      const fence = await grown(store)
      await refuses('store.conflict', () =>
        store.driver.commit(commit([added(5, 'm5', 'm4'), added(7, 'm7', 'm5')], { fence, head: 'm7' })),
      )
      await refuses('store.conflict', () => store.driver.commit(commit([added(4, 'm5', 'm4')], { fence })))
      const row = await store.conversation('c')
      same([row?.seq, row?.n, row?.head], [4, 4, 'm4'], 'seq, n and head')
      same(ids(await store.nodes('c')), ['m1', 'm2', 'm3', 'm4'], 'messages')
      await store.driver.commit(commit([added(5, 'm5', 'm4')], { fence }))
      same((await store.events('c')).length, 5, 'events afterwards')
    },
  },
]
