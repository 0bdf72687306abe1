import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStore } from 'turnbuckle/stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Member {
  readonly ready: Promise<unknown>
  kill(): Promise<unknown>
}
interface Cluster {
  readonly url: string
  readonly databaseUrl: string
  readonly adminPort: number
  readonly witnesses: string
  readonly workers: readonly Member[]
  readonly servers: readonly Member[]
}
interface Scheduled {
  readonly id: string
  readonly schedules: readonly { readonly id: string }[]
}
/** Whatever of the cluster runs, also where it did not come up in time. */
interface Parts {
  end(): Promise<void>
}
type Call = (method: string, path: string, body?: object) => Promise<Scheduled>
const script = async <Module>(name: string): Promise<Module> =>
  (await import(new URL(`./chaos/${name}.mjs`, import.meta.url).href)) as Module
const patience = { timeout: 60_000 }
const perTest = { timeout: 120_000 }

describe.runIf(process.platform === 'linux')('a schedule on a cluster of three workers and two servers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-schedules-'))
  let cluster: Cluster
  let parts: Parts | undefined
  let call: Call
  let store: ReturnType<typeof postgresStore>
  let marks: (name: string) => number
  beforeAll(async () => {
    const { Parts } = await script<{ Parts: new () => Parts }>('parts')
    parts = new Parts()
    const { startCluster } = await script<{ startCluster(o: object): Promise<Cluster> }>('run-cluster')
    const { callOf } = await script<{ callOf(url: string): Call }>('measuring')
    const { readWitnesses } = await script<{ readWitnesses(folder: string): { ran?: string }[] }>('witnesses')
    cluster = await startCluster({ parts, folder })
    call = callOf(cluster.url)
    store = postgresStore(cluster.databaseUrl)
    marks = name => readWitnesses(cluster.witnesses).filter(({ ran }) => ran === `${name}.0`).length
  }, 120_000)
  afterAll(async () => {
    await store?.close()
    await parts?.end()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  /** A conversation with a schedule of a turn that leaves a mark. */
  async function schedule(name: string, times: { readonly at: number; readonly every?: number }) {
    const { id: conversation } = await call('POST', '/api/conversations', {})
    const path = `/api/conversations/${conversation}/schedules`
    const { id } = await call('POST', path, { text: `do ${name} mark say`, ...times })
    const ends = async () => (await store.turns({ conversation, status: 'completed' })).length
    const listed = async () => (await call('GET', path)).schedules.map(one => one.id)
    const cancel = () => fetchNothing('DELETE', `${path}/${id}`)
    return { id, conversation, ends, listed, cancel }
  }
  async function fetchNothing(method: string, path: string): Promise<number> {
    const { token } = await script<{ token: string }>('run-cluster')
    return (await fetch(`${cluster.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } })).status
  }
  /** The states of the workflows that Restate has of a conversation's turns. */
  async function workflows(conversation: string): Promise<readonly string[]> {
    const query = `SELECT status FROM sys_invocation WHERE target_handler_name = 'run' AND target_service_key LIKE '${conversation}~%'`
    const response = await fetch(`http://127.0.0.1:${cluster.adminPort}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { rows } = (await response.json()) as { rows: { status: string }[] }
    return rows.map(({ status }) => status)
  }

  test('begins its turn once, though every worker and server was killed before its time', perTest, async () => {
    const { conversation, id, ends, listed } = await schedule('once', { at: Date.now() + 6000 })
    expect(await listed()).toEqual([id])
    const members = [...cluster.workers, ...cluster.servers]
    await Promise.all(members.map(member => member.kill()))
    await Promise.all(members.map(member => member.ready))
    await expect.poll(ends, patience).toBe(1)
    expect(await workflows(conversation)).toHaveLength(1)
    expect(marks('once')).toBe(1)
    await expect.poll(listed, patience).toEqual([])
  })

  test('waits in no process, and nothing is left of it once it is cancelled', perTest, async () => {
    const { conversation, ends, cancel } = await schedule('never', { at: Date.now() + 86_400_000 })
    await expect.poll(() => workflows(conversation), patience).toEqual(['suspended'])
    expect(await cancel()).toBe(204)
    await expect.poll(() => workflows(conversation), patience).toEqual(['completed'])
    expect(await ends()).toBe(0)
    expect(marks('never')).toBe(0)
  })

  test('that goes on begins a turn at each of its times until it is cancelled', perTest, async () => {
    const { conversation, ends, listed, id, cancel } = await schedule('often', { at: Date.now(), every: 1000 })
    await expect.poll(ends, patience).toBeGreaterThanOrEqual(3)
    expect(await listed()).toEqual([id])
    expect(await cancel()).toBe(204)
    const open = async () => (await workflows(conversation)).filter(status => status !== 'completed')
    await expect.poll(open, patience).toEqual([])
    expect(marks('often')).toBe(await ends())
    const turns = await store.turns({ conversation })
    expect(new Set(turns.map(({ id: turn }) => turn)).size).toBe(turns.length)
  })
})
