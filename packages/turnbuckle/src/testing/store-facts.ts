import type { Commit, LogRecord } from '../conversation/driver.ts'
import type { ConversationStore, StoreOptions } from '../conversation/store.ts'
import type { Message } from '../core/message.ts'
import { refuses, same } from './expect.ts'

interface Bench {
  readonly store: ConversationStore
  /** Another store on the same database. */
  another(options?: StoreOptions): Promise<ConversationStore>
}

interface Fact {
  readonly title: string
  prove(bench: Bench): Promise<void>
}

type Entry = Omit<LogRecord, 'n'>

let at = 1_000
const event = (seq: number, type: string, body: object = {}, turn: string | undefined = 't1'): Entry => ({
  seq,
  turn,
  type,
  body: { at: ++at, ...body },
})
const note = (type: string, body: object, turn = 't1'): Entry => ({
  seq: undefined,
  turn,
  type: `note.${type}`,
  body: { ...body },
})
const text = (id: string, words: string): Message => ({ id, role: 'user', content: [{ type: 'text', text: words }] })
const added = (seq: number, id: string, parentId?: string, words = `says ${id}`): Entry =>
  event(seq, 'message.added', { messageId: id, parentId, role: 'user', message: text(id, words) })

const commit = (records: readonly Entry[], more: Partial<Commit> = {}): Commit => ({
  conversation: 'c',
  holder: 'a',
  fence: undefined,
  leaseMs: 60_000,
  release: false,
  records,
  head: undefined,
  ...more,
})

/** A tree of two branches: 1 – 2 – 3, and 2 – 4. */
async function grown(store: ConversationStore, more: Partial<Commit> = {}): Promise<number> {
  const records = [added(1, 'm1'), added(2, 'm2', 'm1'), added(3, 'm3', 'm2'), added(4, 'm4', 'm2')]
  return (await store.driver.commit(commit(records, { head: 'm4', ...more }))).fence
}

const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)
const otherHost = 'elsewhere/1/x'

const log: readonly Fact[] = [
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

const writers: readonly Fact[] = [
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
      await grown(store, { holder: otherHost, release: true })
      await store.driver.commit(commit([added(5, 'm5', 'm4')], { holder: 'b' }))
      same((await store.conversation('c'))?.seq, 5, 'the next event')
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

const tree: readonly Fact[] = [
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
      const words = 'a "quoted" \\ line\n\u0001 %_ 漢字 🙂 \u2028'
      await store.driver.commit(commit([added(1, 'm1', undefined, words)]))
      same((await store.nodes('c'))[0]?.message, text('m1', words), 'the message')
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
      await store.driver.commit(commit([usage(7, 'm2')], { fence }))
      same(
        (await store.conversation('c'))?.usage,
        { inputTokens: 30, outputTokens: 15 },
        'the sum with an unknown cost',
      )
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

const tables: readonly Fact[] = [
  {
    title: 'a turn is open until it ends; its checkpoints go then, its decisions stay',
    async prove({ store }) {
      const decisions = [{ directive: 'stop', by: 'x', at: 'beforeTool', step: 0, won: true }]
      const { fence } = await store.driver.commit(
        commit([event(1, 'turn.started'), note('entered', { key: 'k' }), note('intent', { callId: 'x' })]),
      )
      same(
        (await store.turns({ status: 'open' })).map(({ id, conversation }) => [id, conversation]),
        [['t1', 'c']],
        'open turns',
      )
      await store.driver.commit(
        commit([note('decisions', { list: decisions }), event(2, 'turn.stopped', { outcome: 'stopped' })], { fence }),
      )
      same(await store.turns({ status: 'open' }), [], 'open turns afterwards')
      same((await store.turns({ id: 't1' }))[0]?.status, 'stopped', 'its status')
      same(await store.decisions('c', 't1'), decisions, 'decisions')
      const kept = await store.driver.records('c', { turn: 't1' })
      same(
        kept.map(({ type }) => type),
        ['turn.started', 'note.decisions', 'turn.stopped'],
        'records that are kept',
      )
    },
  },
  {
    title: 'the raw result is erased when the hooked one is recorded',
    async prove({ store }) {
      const raw = (callId: string) => note('raw', { callId, result: { status: 'ok', value: 'secret' } })
      const { fence } = await store.driver.commit(
        commit([event(1, 'turn.started'), raw('a_1'), raw('ax1'), raw('a"%')]),
      )
      await store.driver.commit(commit([event(2, 'tool.completed', { callId: 'a_1' })], { fence }))
      await store.driver.commit(commit([event(3, 'tool.failed', { callId: 'a"%' })], { fence }))
      const left = (await store.driver.records('c', { turn: 't1' })).filter(({ type }) => type === 'note.raw')
      same(
        left.map(({ body }) => body['callId']),
        ['ax1'],
        'raw results that are left',
      )
    },
  },
  {
    title: 'a request waits until it is answered or expires',
    async prove({ store }) {
      const opened = (seq: number, requestId: string, deadline?: number) =>
        event(seq, 'request.opened', {
          requestId,
          kind: 'permission',
          payload: { name: 'x' },
          ...(deadline ? { deadline } : {}),
        })
      const { fence } = await store.driver.commit(commit([opened(1, 'q1', 9_000), opened(2, 'q2')]))
      const [first] = await store.requests({ conversation: 'c' })
      same(
        [first?.id, first?.kind, first?.payload, first?.turn, first?.deadline],
        ['q1', 'permission', { name: 'x' }, 't1', 9_000],
        'the first',
      )
      await store.driver.commit(commit([event(3, 'request.answered', { requestId: 'q1' })], { fence }))
      same(ids(await store.requests()), ['q2'], 'what waits')
      await store.driver.commit(commit([event(4, 'request.expired', { requestId: 'q2' })], { fence }))
      same(await store.requests({ id: 'q2' }), [], 'what waits afterwards')
    },
  },
  {
    title: 'conversations are listed newest first, by owner, page by page',
    async prove({ store }) {
      for (const [conversation, owner] of [
        ['c1', 'ann'],
        ['c2', 'bob'],
        ['c3', 'ann'],
      ] as const) {
        await store.driver.commit(commit([added(1, 'm1')], { conversation, owner }))
        await new Promise(resolve => setTimeout(resolve, 3))
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
    title: 'pages of the list lack nothing and repeat nothing, also where many conversations are of one moment',
    async prove({ store }) {
      const wanted = Array.from({ length: 12 }, (_, i) => `c${String(i).padStart(2, '0')}`)
      for (const conversation of wanted) await store.driver.commit(commit([added(1, 'm1')], { conversation }))
      const seen: string[] = []
      for (let page = await store.list({ limit: 2 }); page.length; ) {
        seen.push(...ids(page))
        const [before] = page.slice(-1)
        page = before ? await store.list({ limit: 2, before }) : []
      }
      same(seen.toSorted(), wanted, 'all pages together')
    },
  },
  {
    title: 'two conversations may use the same ids for their turns, messages and requests',
    async prove({ store }) {
      const both = ['c', 'd'] as const
      for (const conversation of both)
        await store.driver.commit(
          commit(
            [
              event(1, 'turn.started'),
              added(2, 'm1', undefined, conversation),
              event(3, 'request.opened', { requestId: 'q1', kind: 'permission', payload: conversation }),
            ],
            { conversation, head: 'm1', release: true },
          ),
        )
      same((await store.turns({ id: 't1' })).map(row => row.conversation).toSorted(), both, 'turns')
      same((await store.requests({ id: 'q1' })).map(row => row.payload).toSorted(), both, 'requests')
      const end = [
        event(4, 'request.answered', { requestId: 'q1' }),
        event(5, 'turn.completed', { outcome: 'completed' }),
      ]
      await store.driver.commit(commit(end, { release: true }))
      same(
        (await store.turns({ status: 'open' })).map(row => row.conversation),
        ['d'],
        'the turn that is open',
      )
      same(
        (await store.requests()).map(row => row.conversation),
        ['d'],
        'the request that waits',
      )
    },
  },
  {
    title: 'turns and requests of one moment come in the order they were recorded',
    async prove({ store }) {
      const names = ['z', 'a', 'm']
      const started = names.map((id, i) => ({ ...event(i + 1, 'turn.started', {}, id), body: { at: 7 } }))
      const opened = names.map((requestId, i) => ({
        ...event(i + 4, 'request.opened', { requestId, kind: 'x' }),
        body: { at: 7, requestId, kind: 'x' },
      }))
      await store.driver.commit(commit([...started, ...opened]))
      same(ids(await store.turns({ conversation: 'c' })), names, 'turns')
      same(ids(await store.requests({ conversation: 'c' })), names, 'requests')
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
    title: 'text is found whatever its case; signs of the pattern language mean themselves',
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

/** Everything that a store must do. */
export const storeFacts: readonly Fact[] = [...log, ...writers, ...tree, ...tables]
