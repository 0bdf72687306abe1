import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Event } from 'turnbuckle'
import { postgresStore } from 'turnbuckle/stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Member {
  readonly pid: number
  readonly ready: Promise<unknown>
  kill(): Promise<unknown>
}
interface Cluster {
  readonly url: string
  readonly databaseUrl: string
  readonly adminPort: number
  readonly witnesses: string
  readonly workers: readonly Member[]
}
interface Witness {
  readonly pid: number
  readonly model?: string
  readonly step?: number
  readonly ran?: string
}
/** Whatever of the cluster runs, also where it did not come up in time. */
interface Parts {
  end(): Promise<void>
}
type Call = (method: string, path: string, body?: object) => Promise<Record<string, string>>
const script = async <Module>(name: string): Promise<Module> =>
  (await import(new URL(`./chaos/${name}.mjs`, import.meta.url).href)) as Module

describe.runIf(process.platform === 'linux')('a sub-agent on a cluster of three workers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-sub-agents-'))
  let cluster: Cluster
  let parts: Parts | undefined
  let call: Call
  let store: ReturnType<typeof postgresStore>
  let witnesses: () => readonly Witness[]
  beforeAll(async () => {
    const { Parts } = await script<{ Parts: new () => Parts }>('parts')
    parts = new Parts()
    const { startCluster } = await script<{ startCluster(o: object): Promise<Cluster> }>('run-cluster')
    const { callOf } = await script<{ callOf(url: string): Call }>('measuring')
    const { readWitnesses } = await script<{ readWitnesses(folder: string): Witness[] }>('witnesses')
    cluster = await startCluster({ parts, folder, servers: 1 })
    call = callOf(cluster.url)
    store = postgresStore(cluster.databaseUrl)
    witnesses = () => readWitnesses(cluster.witnesses)
  }, 120_000)
  afterAll(async () => {
    await store?.close()
    await parts?.end()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  /** Starts a turn that does these words, and gives what is known of it. */
  async function begin(name: string, words: string) {
    const { id = '' } = await call('POST', '/api/conversations', {})
    const { turnId = '' } = await call('POST', `/api/conversations/${id}/turns`, { text: `do ${name} ${words}` })
    const sub = `${turnId}.c0`
    const ofModel = (model: string, step: number) =>
      witnesses().find(line => line.model === model && line.step === step)
    const workerOf = async (model: string, step = model === name ? 0 : 1) => {
      await expect.poll(() => ofModel(model, step), { timeout: 60_000 }).toBeDefined()
      return cluster.workers.find(({ pid }) => pid === ofModel(model, step)?.pid)
    }
    return { id, turnId, sub, workerOf, events: async (of: string): Promise<readonly Event[]> => store.events(of) }
  }
  /** The conversation of the sub-agent that was called in this one. */
  const below = async (id: string): Promise<string> => {
    const started = (await store.events(id)).find(event => (event.type as string) === 'agent.started')
    return (started as { readonly agentConversationId?: string } | undefined)?.agentConversationId ?? ''
  }
  const endOf = (events: readonly Event[]) => events.find(event => /^turn\.(?!started)/.test(event.type))?.type
  const runsOf = (name: string) => witnesses().filter(({ ran }) => ran === name)
  /** The invocations that Restate has of a sub-agent's conversation, and of a turn. */
  async function invocations(key: string): Promise<{ target: string; status: string }[]> {
    const query = `SELECT target, status FROM sys_invocation WHERE target_service_key LIKE '%${key}%'`
    const response = await fetch(`http://127.0.0.1:${cluster.adminPort}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query }),
    })
    return ((await response.json()) as { rows: { target: string; status: string }[] }).rows
  }

  test('is an invocation of its own, and goes on elsewhere when its worker is killed', {
    timeout: 120_000,
  }, async () => {
    const { id, sub, workerOf, events } = await begin('killed', 'help-think say')
    const worker = await workerOf('killed.0')
    expect((await invocations(sub)).map(({ target }) => target)).toEqual([expect.stringContaining('/workForCaller')])
    await worker?.kill()
    await expect.poll(async () => endOf(await events(id)), { timeout: 60_000 }).toBe('turn.completed')
    expect(endOf(await events(sub))).toBe('turn.completed')
    expect(runsOf('killed.0.0')).toHaveLength(1)
    const told = await events(id)
    expect(told.at(-1)).toMatchObject({ usage: { inputTokens: 40, outputTokens: 12 } })
  })

  test('is taken up by whoever goes on with its caller', { timeout: 120_000 }, async () => {
    const { id, sub, workerOf, events } = await begin('caller', 'help-think say')
    const worker = await workerOf('caller')
    await workerOf('caller.0')
    await worker?.kill()
    await expect.poll(async () => endOf(await events(id)), { timeout: 60_000 }).toBe('turn.completed')
    expect(endOf(await events(sub))).toBe('turn.completed')
    expect(runsOf('caller.0.0')).toHaveLength(1)
  })

  test('asks at its caller: neither is held while the question is open', { timeout: 120_000 }, async () => {
    const { id, sub, events } = await begin('asks', 'help-ask say')
    const asked = async () => (await events(id)).find(event => event.type === 'request.opened')
    await expect.poll(asked, { timeout: 60_000 }).toMatchObject({ kind: 'permission', payload: { name: 'ask' } })
    const running = async () => (await invocations('')).filter(({ status }) => status === 'running')
    await expect.poll(running, { timeout: 60_000 }).toEqual([])
    const request = await asked()
    const requestId = request?.type === 'request.opened' ? request.requestId : ''
    await call('POST', `/api/requests/${encodeURIComponent(requestId)}/answer`, { decision: 'allow' })
    await expect.poll(async () => endOf(await events(id)), { timeout: 60_000 }).toBe('turn.completed')
    expect(endOf(await events(sub))).toBe('turn.completed')
    expect(runsOf('asks.0.0')).toHaveLength(1)
  })

  test('is interrupted with its caller', { timeout: 120_000 }, async () => {
    const { id, sub, turnId, workerOf, events } = await begin('stopped', 'help-think say')
    await workerOf('stopped.0')
    await call('POST', `/api/turns/${turnId}/interrupt`, {})
    await expect.poll(async () => endOf(await events(id)), { timeout: 60_000 }).toBe('turn.interrupted')
    await expect.poll(async () => endOf(await events(sub)), { timeout: 60_000 }).toBe('turn.interrupted')
  })

  test('has its own sub-agents worked on by other workers, as invocations of their own', {
    timeout: 240_000,
  }, async () => {
    const names = Array.from({ length: 8 }, (_, i) => `deep${i}`)
    const begun = await Promise.all(names.map(name => begin(name, 'help-help say')))
    for (const { id, events } of begun)
      await expect.poll(async () => endOf(await events(id)), { timeout: 120_000 }).toBe('turn.completed')
    const pidOf = (model: string) => witnesses().find(line => line.model === model)?.pid
    expect(names.filter(name => pidOf(`${name}.0.1`) !== pidOf(`${name}.0`))).not.toEqual([])
    for (const { id, sub, events } of begun) {
      const lowest = await below(sub)
      expect((await invocations(lowest)).map(({ target }) => target)).toEqual([
        expect.stringContaining('/workForCaller'),
      ])
      expect(endOf(await events(lowest))).toBe('turn.completed')
      // Two steps of the topmost, three of the middle one and two of the lowest.
      expect((await events(id)).at(-1)).toMatchObject({ usage: { inputTokens: 70, outputTokens: 21 } })
    }
    for (const name of names) expect(runsOf(`${name}.0.1.0`)).toHaveLength(1)
  })

  test.each([
    { who: 'middle', model: 'middle.0', step: 0 },
    { who: 'lowest', model: 'lowest.0.0', step: 1 },
  ])(
    'goes on with its own sub-agent when the worker of the $who one is killed',
    {
      timeout: 180_000,
    },
    async ({ who, model, step }) => {
      const { id, sub, workerOf, events } = await begin(who, 'help-help-think say')
      await workerOf(`${who}.0.0`)
      await (await workerOf(model, step))?.kill()
      await expect.poll(async () => endOf(await events(id)), { timeout: 120_000 }).toBe('turn.completed')
      const lowest = await below(sub)
      for (const one of [sub, lowest]) expect(endOf(await events(one))).toBe('turn.completed')
      expect(runsOf(`${who}.0.0.0`)).toHaveLength(1)
      expect((await events(id)).at(-1)).toMatchObject({ usage: { inputTokens: 60, outputTokens: 18 } })
    },
  )

  test('has questions of its own sub-agents asked at its caller: none of the three is held meanwhile', {
    timeout: 180_000,
  }, async () => {
    const { id, sub, events } = await begin('deepasks', 'help-help-ask say')
    const asked = async () => (await events(id)).find(event => event.type === 'request.opened')
    await expect.poll(asked, { timeout: 60_000 }).toMatchObject({ kind: 'permission', payload: { name: 'ask' } })
    const running = async () => (await invocations('')).filter(({ status }) => status === 'running')
    await expect.poll(running, { timeout: 60_000 }).toEqual([])
    const request = await asked()
    const requestId = request?.type === 'request.opened' ? request.requestId : ''
    await call('POST', `/api/requests/${encodeURIComponent(requestId)}/answer`, { decision: 'allow' })
    await expect.poll(async () => endOf(await events(id)), { timeout: 60_000 }).toBe('turn.completed')
    expect(endOf(await events(await below(sub)))).toBe('turn.completed')
    expect(runsOf('deepasks.0.0.0')).toHaveLength(1)
  })

  test('is interrupted with its caller, and so are its own sub-agents', { timeout: 120_000 }, async () => {
    const { id, sub, turnId, workerOf, events } = await begin('deepstop', 'help-help-think say')
    await workerOf('deepstop.0.0')
    await call('POST', `/api/turns/${turnId}/interrupt`, {})
    const lowest = await below(sub)
    for (const one of [id, sub, lowest])
      await expect.poll(async () => endOf(await events(one)), { timeout: 60_000 }).toBe('turn.interrupted')
  })
})
