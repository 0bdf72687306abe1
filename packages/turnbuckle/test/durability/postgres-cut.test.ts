import { connect, createServer, type Socket } from 'node:net'
import { createAgent, type Model } from 'turnbuckle'
import { postgresStore } from 'turnbuckle/stores'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../postgres.ts'

/** A way to the server that can be cut. */
async function wire(url: string) {
  const real = new URL(url)
  const sockets = new Set<Socket>()
  let up = true
  const proxy = createServer(near => {
    if (!up) return near.destroy()
    const far = connect(Number(real.port), '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {}).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.port = String((proxy.address() as { port: number }).port)
  return {
    url: through.href,
    cut() {
      up = false
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      up = true
    },
    close: () => proxy.close(),
  }
}

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

test('a server that goes away in a turn fails the turn, not the process; when it is back the turn goes on', async () => {
  const way = await wire(await postgres.schema('cut'))
  const store = postgresStore(way.url)
  let cutting = true
  const model: Model = {
    id: 'cutting',
    async *stream() {
      if (cutting) way.cut()
      yield { type: 'text', text: 'Here.' }
    },
  }
  const agent = createAgent({ model, store })
  const told: number[] = []
  const chat = await agent.open('c')
  chat.subscribe(({ seq }) => void (seq && told.push(seq)))
  const result = await chat.send('Are you there?').settled
  expect(result).toMatchObject({ status: 'failed', by: 'store', error: { code: 'store.unreachable', kind: 'store' } })
  await expect(agent.open('c')).rejects.toMatchObject({ code: 'store.unreachable' })
  way.mend()
  cutting = false
  expect((await agent.open('c')).unfinished.length).toBe(1)
  expect(await agent.resume('c')).toMatchObject({ status: 'completed', text: 'Here.' })
  const log = (await store.events('c')).map(({ seq }) => seq)
  expect(log).toEqual(log.map((_, i) => i + 1))
  expect(told.filter(seq => !log.includes(seq))).toEqual([])
  await store.close()
  way.close()
})

test('a server that is not there yet is tried again', async () => {
  const way = await wire(await postgres.schema('late'))
  way.cut()
  const store = postgresStore(way.url)
  await expect(store.list()).rejects.toMatchObject({ code: 'store.unreachable', kind: 'store' })
  way.mend()
  expect(await store.list()).toEqual([])
  await store.close()
  way.close()
})

test('one that nobody could reach can be closed', async () => {
  const store = postgresStore('postgres://nobody@127.0.0.1:1/none')
  await expect(store.list()).rejects.toMatchObject({ code: 'store.unreachable' })
  await store.close()
})
