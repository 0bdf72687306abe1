import { RestatePromise, TerminalError } from '@restatedev/restate-sdk'
import type { ScheduledOrder, TurnOrder, TurnStand, TurnWorker } from '@turnbuckle/server'
import { expect, test } from 'vitest'
import { conversationService, restateServices, turnService } from './restate-services.ts'

interface Kept {
  run<Result>(name: string, act: () => Promise<Result>): Promise<Result>
}
type Work = (ctx: Kept, order: TurnOrder) => Promise<TurnStand>

/** What Restate keeps of one call: an action that it has a result of is not run again. */
function journal(): Kept {
  const results = new Map<string, unknown>()
  return {
    async run<Result>(name: string, act: () => Promise<Result>) {
      if (!results.has(name)) results.set(name, await act())
      return results.get(name) as Result
    },
  }
}

test('a call that is repeated gives what it gave before, though the turn has moved on', async () => {
  const stands: TurnStand[] = [
    { state: 'waiting', requests: [{ id: 'q' }] },
    { state: 'ended', status: 'completed' },
  ]
  const worker: TurnWorker = {
    running: 0,
    close: async () => {},
    next: async () => undefined,
    workForCaller: async () => ({ state: 'left' }),
    work: async () => stands.shift() ?? { state: 'gone', reason: 'Too often.' },
  }
  const services = restateServices(worker) as unknown as { name: string; object?: { work: Work } }[]
  const work = services.find(({ name }) => name === conversationService)?.object?.work
  const ctx = journal()
  const order = { conversationId: 'c', turnId: 't' }
  const first = await work?.(ctx, order)
  expect(first).toMatchObject({ state: 'waiting' })
  expect(await work?.(ctx, order)).toEqual(first)
})

const waits: TurnStand = { state: 'waiting', requests: [{ id: 'q' }] }
const ends: TurnStand = { state: 'ended', status: 'completed' }
test.each([
  { what: 'has ended', stands: [ends], acts: ['work', 'next', 'keeps t2'] },
  { what: 'waits for people', stands: [waits, ends], acts: ['work', 'next', 'keeps t2', 'work'] },
  { what: 'was ended by an operator of Restate', stands: [], acts: ['work', 'next', 'keeps t2'] },
])(
  'the order behind a schedule’s turn is asked for when that $what, so that slow turns do not pile up',
  async ({ stands, acts }) => {
    const did: string[] = []
    const left = [...stands]
    const order = (turnId: string): ScheduledOrder => ({ conversationId: 'c', turnId, due: { schedule: 's', at: 1 } })
    const worker = { next: async () => order('t2') } as unknown as TurnWorker
    const ctx = {
      date: { now: async () => 1 },
      promise: () => ({ get: () => RestatePromise.resolve(true) }),
      sleep: () => RestatePromise.resolve(undefined),
      run: (name: string, act: () => Promise<unknown>) => {
        did.push(name)
        return act()
      },
      objectClient: () => ({
        work: async () => {
          did.push('work')
          const stand = left.shift()
          if (!stand) throw new TerminalError('Killed.')
          return stand
        },
      }),
      workflowSendClient: () => ({ run: (next: TurnOrder) => void did.push(`keeps ${next.turnId}`) }),
    }
    type Run = (ctx: unknown, order: TurnOrder) => Promise<TurnStand>
    const services = restateServices(worker) as unknown as { name: string; workflow?: { run: Run } }[]
    const run = services.find(({ name }) => name === turnService)?.workflow?.run
    const stand = await run?.(ctx, order('t1')).catch((error: unknown) => error)
    expect(stand).toEqual(stands.at(-1) ?? new TerminalError('Killed.'))
    expect(did).toEqual(acts)
  },
)

test.each([
  { what: 'without a deadline, after a day', requests: [{ id: 'q' }], sleeps: 86_400_000 },
  { what: 'at its deadline, where that is sooner', requests: [{ id: 'q', deadline: 5001 }], sleeps: 5000 },
])('a turn that waits for people is looked at again $what', async ({ requests, sleeps }) => {
  const slept: number[] = []
  const stands: TurnStand[] = [{ state: 'waiting', requests }, ends]
  const ctx = {
    date: { now: async () => 1 },
    promise: () => ({ get: () => RestatePromise.resolve(true) }),
    sleep: (ms: number) => {
      slept.push(ms)
      return RestatePromise.resolve(undefined)
    },
    objectClient: () => ({ work: async () => stands.shift() }),
  }
  type Run = (ctx: unknown, order: TurnOrder) => Promise<TurnStand>
  const services = restateServices({} as TurnWorker) as unknown as { name: string; workflow?: { run: Run } }[]
  const run = services.find(({ name }) => name === turnService)?.workflow?.run
  expect(await run?.(ctx, { conversationId: 'c', turnId: 't' })).toEqual(ends)
  expect(slept).toEqual([sleeps])
})
