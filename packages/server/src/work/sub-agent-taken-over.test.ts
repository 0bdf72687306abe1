import { TurnbuckleError } from 'turnbuckle'
import type { Driver } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { cluster, helps, marks, order } from '../../test/sub-agent-cluster.ts'

const goesOn = { conversationId: 'c', turnId: 't1' }

/** A tool whose runs end when they are told to. */
function held() {
  const go: ((marked: string) => void)[] = []
  return { go, mark: () => new Promise<string>(resolve => go.push(resolve)) }
}

/** A cluster in which the worker of a caller was lost while its sub-agent, on another worker, runs a tool. */
async function callerLost() {
  const all = await cluster()
  const { process, engine } = all
  const { go, mark } = held()
  const first = process({ model: scriptedModel([helps()]) })
  const other = process({ helper: scriptedModel([marks, 'Marked it.']), mark })
  engine.next = () => other
  const lost = first.worker.work(order)
  await expect.poll(() => go).toHaveLength(1)
  await first.worker.close()
  await expect(lost).rejects.toThrow()
  return { ...all, other, endTool: () => go[0]?.('marked'), runs: () => go.length }
}

test('a sub-agent goes on with the worker that has taken its caller over', async () => {
  const { process, other, endTool, runs, events, store } = await callerLost()
  endTool()
  await expect.poll(() => other.worker.running).toBe(0)
  const second = process({ model: scriptedModel(['Thanks.']) })
  expect(await second.worker.work(goesOn)).toMatchObject({ status: 'completed' })
  expect(runs()).toBe(1)
  expect((await events('c')).filter(({ type }) => (type as string) === 'agent.started')).toHaveLength(1)
  expect(await store.turns({ status: 'open' })).toEqual([])
})

test('a sub-agent is not begun a second time where its tool still runs for the caller that was lost', async () => {
  const { process, endTool, runs, events, store, hub } = await callerLost()
  let joins = 0
  hub.join().listen('turns', {
    hear(message) {
      if (JSON.stringify(message).includes('"join"')) joins++
    },
  })
  const second = process({ model: scriptedModel(['Thanks.']) })
  const working = second.worker.work(goesOn)
  await expect.poll(() => joins).toBeGreaterThan(0)
  endTool()
  expect(await working).toMatchObject({ status: 'completed' })
  const log = await events('t1.h0')
  expect(log.filter(({ type }) => type === 'turn.started')).toHaveLength(1)
  expect(log.at(-1)).toMatchObject({ type: 'turn.completed', text: 'Marked it.' })
  expect(runs()).toBe(1)
  expect(await store.turns({ status: 'open' })).toEqual([])
})

test('a caller that goes on in a server waits for its sub-agent, which a worker has not left yet', async () => {
  const { server, endTool, runs, events, store } = await callerLost()
  const agent = server({ model: scriptedModel(['Thanks.']), helper: scriptedModel(['Marked it.']) })
  const conversation = await agent.open('c')
  const refused = new Promise<void>(resolve => {
    conversation.subscribe(event => {
      if (event.type === 'agent.event' && event.event.type === 'turn.failed') resolve()
    })
  })
  const turn = agent.resume('c', 't1')
  // The server could not become the writer of the sub-agent's log.
  await refused
  endTool()
  expect(await turn?.settled).toMatchObject({ status: 'completed' })
  const log = await events('c')
  expect(log.find(({ type }) => type === 'tool.completed')).toMatchObject({ result: 'Marked it.' })
  expect(log.filter(({ type }) => (type as string) === 'agent.started')).toHaveLength(1)
  expect((await events('t1.h0')).at(-1)).toMatchObject({ type: 'turn.completed', text: 'Marked it.' })
  expect(runs()).toBe(1)
  expect(await store.turns({ status: 'open' })).toEqual([])
}, 20_000)

/** A store whose connection is lost with the first reading of a conversation. */
const cutOnce = (conversation: string) => (driver: Driver) => {
  let isCut = false
  return new Proxy(driver, {
    get(_, name: keyof Driver) {
      const own = driver[name]
      if (name !== 'conversation') return typeof own === 'function' ? own.bind(driver) : own
      return (id: string) => {
        if (isCut || id !== conversation) return driver.conversation(id)
        isCut = true
        return Promise.reject(new TurnbuckleError('store.unreachable', 'The connection is lost.', { kind: 'store' }))
      }
    },
  })
}

test('a caller whose store could not be reached when it was taken over goes on with its sub-agent', async () => {
  const { process, other, endTool, events, store } = await callerLost()
  endTool()
  await expect.poll(() => other.worker.running).toBe(0)
  const second = process({ model: scriptedModel(['Thanks.']), through: cutOnce('t1.h0') })
  expect(await second.worker.work(goesOn)).toMatchObject({ status: 'completed' })
  expect((await events('c')).find(({ type }) => type === 'tool.completed')).toMatchObject({ result: 'Marked it.' })
  expect(await store.turns({ status: 'open' })).toEqual([])
})
