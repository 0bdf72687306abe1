import { expect, test } from 'vitest'

interface Fault {
  readonly kind: string
  readonly at: number
  readonly until: number
  readonly pid?: number
  readonly link?: string
}
interface Taken {
  readonly ms: number
  readonly all: number
  readonly isClear: boolean
}
const { takeovers } = (await import(new URL('./takeovers.mjs', import.meta.url).href)) as {
  takeovers(run: object): readonly Taken[]
}

/** A turn that process 7 works on at 10,000, when it is lost, and that goes on at 18,000. */
const taken = (kind: string, ...others: readonly Fault[]): readonly Taken[] =>
  takeovers({
    leaseMs: 4000,
    logs: {
      c: [
        { at: 9000, type: 'turn.started', turnId: 't' },
        { at: 18_000, type: 'message.added', turnId: 't' },
        { at: 19_000, type: 'turn.completed', turnId: 't', outcome: 'completed' },
      ],
    },
    witnesses: [{ at: 9500, pid: 7, model: 'x0', step: 0 }],
    talkers: [{ id: 'c', turns: [{ turnId: 't', name: 'x0' }] }],
    faults: [{ kind, at: 10_000, until: 10_100, pid: 7 }, ...others],
  })

test('a takeover is counted from the kill, and after a stop from the end of the lease', () => {
  expect(taken('worker killed')).toMatchObject([{ all: 8000, ms: 8000, isClear: true }])
  expect(taken('worker stopped')).toMatchObject([{ all: 4000, ms: 4000, isClear: true }])
})

test('time in which PostgreSQL, Restate or the network between them was down is taken off, once', () => {
  const others = [
    { kind: 'PostgreSQL restarted', at: 11_000, until: 13_000 },
    { kind: 'Restate killed', at: 12_000, until: 14_000 },
    { kind: 'network cut', link: 'workers', at: 15_000, until: 16_000 },
  ]
  expect(taken('worker killed', ...others)).toMatchObject([{ all: 8000, ms: 4000, isClear: false }])
})

test('a cut between clients and servers is no outage of a turn, and an outage just before the kill disturbs it', () => {
  const cut = { kind: 'network cut', link: 'servers', at: 11_000, until: 13_000 }
  expect(taken('worker killed', cut)).toMatchObject([{ ms: 8000, isClear: true }])
  const before = { kind: 'Restate killed', at: 3000, until: 8000 }
  expect(taken('worker killed', before)).toMatchObject([{ ms: 8000, isClear: false }])
})

test('a worker that had nothing to do is no takeover', () => {
  expect(taken('server killed')).toEqual([])
})
