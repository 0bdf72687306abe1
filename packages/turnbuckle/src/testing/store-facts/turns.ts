import { same } from '../expect.ts'
import { added, commit, event, type Fact, ids, note } from './fact.ts'

/** Turns and requests: open until they end. */
export const turnFacts: readonly Fact[] = [
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
        commit([event(1, 'turn.started'), raw('a_1'), raw('ax1'), raw('A_1'), raw('a"%')]),
      )
      await store.driver.commit(commit([event(2, 'tool.completed', { callId: 'a_1' })], { fence }))
      await store.driver.commit(commit([event(3, 'tool.failed', { callId: 'a"%' })], { fence }))
      const left = (await store.driver.records('c', { turn: 't1' })).filter(({ type }) => type === 'note.raw')
      same(
        left.map(({ body }) => body['callId']),
        ['ax1', 'A_1'],
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
      const [closed] = await store.requests({ id: 'q1', closed: true })
      same([closed?.conversation, closed?.turn, closed?.kind], ['c', 't1', 'permission'], 'the first, closed')
      same(ids(await store.requests({ conversation: 'c', closed: true })), ['q1', 'q2'], 'what was closed')
      await store.driver.commit(commit([opened(5, 'q1')], { fence }))
      same(
        (await store.requests()).map(({ id, payload }) => [id, payload]),
        [['q1', { name: 'x' }]],
        'what waits again',
      )
      same(ids(await store.requests({ closed: true })), ['q2'], 'what was closed, after one was opened again')
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
]
