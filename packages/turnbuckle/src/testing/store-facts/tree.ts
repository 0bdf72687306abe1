import { same } from '../expect.ts'
import { added, commit, event, type Fact, grown, ids, note, text } from './fact.ts'

/** Messages, their paths, and what belongs to each. */
export const treeFacts: readonly Fact[] = [
  {
    title: 'a path is read whole or its last page; siblings stay apart',
    async prove({ store }) {
      await grown(store)
      same(ids(await store.path('c', 'm3')), ['m1', 'm2', 'm3'], 'the path to m3')
      same(ids(await store.path('c', 'm4')), ['m1', 'm2', 'm4'], 'the path to m4')
      const page = await store.path('c', 'm4', 2)
      same(
        page.map(({ id, depth, parent }) => [id, depth, parent]),
        [
          ['m2', 2, 'm1'],
          ['m4', 3, 'm2'],
        ],
        'the last page',
      )
      same(await store.path('c', 'nobody'), [], 'the path to nothing')
    },
  },
  {
    title: 'messages come in the order they were recorded, also at one and the same moment',
    async prove({ store }) {
      const together = ['z', 'b', 'a', 'y'].map((id, i) => ({ ...added(i + 1, id, i ? 'z' : undefined) }))
      const records = together.map(record => ({ ...record, body: { ...record.body, at: 5 } }))
      await store.driver.commit(commit(records))
      same(ids(await store.nodes('c')), ['z', 'b', 'a', 'y'], 'order')
    },
  },
  {
    title: 'a message keeps every part of it, whatever the text',
    async prove({ store }) {
      const words = 'a "quoted" \\ line\n\u0000\u0001 %_ 漢字 🙂 \u2028 \ud83d'
      const title = event(2, 'title.changed', { to: words })
      await store.driver.commit(commit([added(1, 'm1', undefined, words), title]))
      same((await store.nodes('c'))[0]?.message, text('m1', words), 'the message')
      same(((await store.conversation('c'))?.title ?? '').includes('漢字 🙂'), true, 'that the title has its words')
      for (const word of ['漢字', '\u0000\u0001'])
        same((await store.search({ text: word })).length, 1, `how many messages are found by ${JSON.stringify(word)}`)
    },
  },
  {
    title: "usage is the message's and adds up; an unknown cost stays unknown",
    async prove({ store }) {
      const fence = await grown(store)
      const usage = (seq: number, messageId: string, cost?: number) =>
        event(seq, 'usage', { messageId, inputTokens: 10, outputTokens: 5, ...(cost === undefined ? {} : { cost }) })
      await store.driver.commit(commit([usage(5, 'm3', 0.5), usage(6, 'm4', 0.25)], { fence }))
      same((await store.conversation('c'))?.usage, { inputTokens: 20, outputTokens: 10, cost: 0.75 }, 'the sum')
      same((await store.nodes('c'))[2]?.usage, { inputTokens: 10, outputTokens: 5, cost: 0.5 }, 'that of m3')
      const ended = (seq: number, cost: object) =>
        event(seq, 'turn.completed', { outcome: 'completed', usage: { inputTokens: 9, outputTokens: 9, ...cost } }, 't')
      const sum = async () => (await store.conversation('c'))?.usage
      await store.driver.commit(commit([ended(7, { cost: 0.75 })], { fence }))
      same(await sum(), { inputTokens: 20, outputTokens: 10, cost: 0.75 }, 'the sum after a turn')
      const besides = { inputTokens: 2, outputTokens: 1, cost: 0.25 }
      const note = { seq: undefined, turn: 't', type: 'note.besides', body: { usage: besides } }
      await store.driver.commit(commit([note], { fence }))
      same(await sum(), { inputTokens: 22, outputTokens: 11, cost: 1 }, 'the sum with what was no message')
      await store.driver.commit(commit([ended(8, {})], { fence }))
      same(await sum(), { inputTokens: 22, outputTokens: 11 }, 'the sum after a turn whose cost is not known')
      await store.driver.commit(commit([usage(9, 'm2')], { fence }))
      same(
        (await store.conversation('c'))?.usage,
        { inputTokens: 32, outputTokens: 16 },
        'the sum with an unknown cost',
      )
      const huge = { messageId: 'm1', inputTokens: 3_000_000_000, outputTokens: 0.5 }
      await store.driver.commit(commit([event(10, 'usage', huge)], { fence }))
      same(await sum(), { inputTokens: 3_000_000_032, outputTokens: 16.5 }, 'the sum with figures of any size')
    },
  },
  {
    title: "states: the conversation's last value, the branch's as of each message",
    async prove({ store }) {
      const state = (scope: string, value: unknown, node?: string) =>
        note('state', { scope, name: 'mw', value, ...(node ? { node } : {}) })
      await store.driver.commit(
        commit([
          added(1, 'm1'),
          state('branch', { n: 1 }, 'm1'),
          added(2, 'm2', 'm1'),
          state('branch', { n: 2 }, 'm2'),
          added(3, 'm3', 'm1'),
          state('conversation', { all: 1 }),
          state('conversation', { all: 2 }),
          state('turn', { own: 1 }),
        ]),
      )
      same(await store.driver.states('c'), { mw: { all: 2 } }, 'conversation states')
      same(
        (await store.nodes('c')).map(row => row.state),
        [{ mw: { n: 1 } }, { mw: { n: 2 } }, { mw: { n: 1 } }],
        'branch states',
      )
    },
  },
  {
    title: 'a hidden message hides what follows it, and is not found',
    async prove({ store }) {
      const fence = await grown(store)
      await store.driver.commit(commit([event(5, 'message.hidden', { messageId: 'm2' })], { fence }))
      same(
        (await store.nodes('c')).map(({ hidden }) => hidden),
        [false, true, true, true],
        'hidden',
      )
      same(
        (await store.search({ text: 'says' })).map(({ node }) => node.id),
        ['m1'],
        'found',
      )
    },
  },
]
