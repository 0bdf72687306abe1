import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../turnbuckle/test/postgres.ts'
import { follow } from './serve.ts'
import type { Job } from './served-process.ts'
import { bundleServer, type ServerProcess, startProcess } from './server-process.ts'
import { isOver } from './socket-client.ts'

let postgres: TestPostgres
let program: string
let folder: string
let server: ServerProcess

beforeAll(async () => {
  postgres = await startPostgres()
  program = await bundleServer()
})
afterAll(async () => {
  rmSync(program, { force: true })
  await postgres.stop()
})
afterEach(async () => {
  await server?.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function newJob(kind: 'sqlite' | 'postgres'): Promise<Job> {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-processes-'))
  const url = kind === 'sqlite' ? join(folder, 'conversations.db') : await postgres.schema('server')
  return { store: { kind, url }, ran: join(folder, 'ran') }
}
const timesRun = ({ ran }: Job) => (existsSync(ran) ? readFileSync(ran, 'utf8').split('\n').length - 1 : 0)

const contiguous = (events: readonly { seq: number }[]) =>
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))

const ways = (['sqlite', 'postgres'] as const).flatMap(kind =>
  (['SIGTERM', 'SIGKILL'] as const).map(signal => ({ kind, signal })),
)

test.each(ways)(
  'on $kind a question outlives $signal: the next process goes on with the turn',
  async ({ kind, signal }) => {
    const job = await newJob(kind)
    server = await startProcess(program, job)
    const { id } = (await server.call('POST', '/api/conversations', {})).body
    const first = await follow(server, id)
    const send = () =>
      server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' }, { 'idempotency-key': 'k' })
    const { turnId } = (await send()).body
    const { requestId } = await first.until(({ type }) => type === 'request.opened')
    const seen = first.events
    await server.end(signal)
    server = await startProcess(program, job)
    const view = (await server.call('GET', `/api/conversations/${id}`)).body
    expect(view.turns).toMatchObject([{ id: turnId, status: 'running' }])
    expect(view.requests).toMatchObject([{ id: requestId, kind: 'permission' }])
    expect((await send()).body).toMatchObject({ turnId, seq: 1 })
    const back = await follow(server, id, seen.at(-1).seq)
    expect((await server.call('POST', `/api/requests/${requestId}/answer`, { decision: 'allow' })).status).toBe(200)
    expect(await back.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'half whole', turnId })
    contiguous([...seen, ...back.events])
    expect(timesRun(job)).toBe(1)
    expect((await send()).body).toMatchObject({ turnId, seq: 1 })
  },
)

test.each(ways)(
  'on $kind a reply that was being written when $signal came is written by the next process',
  async ({ kind, signal }) => {
    const job = await newJob(kind)
    server = await startProcess(program, { ...job, hangs: true })
    const { id } = (await server.call('POST', '/api/conversations', {})).body
    const first = await follow(server, id)
    await server.call('POST', `/api/conversations/${id}/turns`, { text: 'talk' })
    await first.until(({ type }) => type === 'message.delta')
    const seen = first.events
    await server.end(signal)
    server = await startProcess(program, job)
    const back = await follow(server, id, seen.at(-1).seq)
    expect(await back.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'half whole' })
    contiguous([...seen, ...back.events])
    const { nodes } = (await server.call('GET', `/api/conversations/${id}`)).body
    expect(nodes.map((node: { message: { role: string } }) => node.message.role)).toEqual(['user', 'assistant'])
  },
)

const moments = (['sqlite', 'postgres'] as const).flatMap(kind =>
  (['before', 'after'] as const).map(when => ({ kind, when })),
)

test.each(moments)(
  'on $kind a call that was killed $when its turn was recorded, repeated, makes one turn',
  async ({ kind, when }) => {
    const job = await newJob(kind)
    server = await startProcess(program, { ...job, dies: { at: 'turn.started', when } })
    const { id } = (await server.call('POST', '/api/conversations', { title: 'x' })).body
    const send = (text = 'add') =>
      server.call('POST', `/api/conversations/${id}/turns`, { text }, { 'idempotency-key': 'k' })
    await expect(send()).rejects.toThrow()
    await server.gone
    server = await startProcess(program, job)
    const again = await send()
    expect(again).toMatchObject({ status: 202, body: { turnId: expect.any(String) } })
    expect((await send()).body).toEqual(again.body)
    expect(await send('other')).toMatchObject({ status: 422, body: { error: { code: 'idempotency.mismatch' } } })
    const client = await follow(server, id)
    const { requestId } = await client.until(({ type }) => type === 'request.opened')
    await server.call('POST', `/api/requests/${requestId}/answer`, { decision: 'allow' })
    await client.until(isOver)
    const { turns } = (await server.call('GET', `/api/conversations/${id}`)).body
    expect(turns).toMatchObject([{ id: again.body.turnId, status: 'completed' }])
    expect(timesRun(job)).toBe(1)
    contiguous(client.events)
  },
)

test('the same key makes one conversation, also when the process died in between', async () => {
  const job = await newJob('sqlite')
  server = await startProcess(program, { ...job, dies: { at: 'title.changed', when: 'before' } })
  const make = (title: string) => server.call('POST', '/api/conversations', { title }, { 'idempotency-key': 'k' })
  await expect(make('One')).rejects.toThrow()
  await server.gone
  server = await startProcess(program, job)
  const { id } = (await make('One')).body
  expect((await make('One')).body.id).toBe(id)
  expect(await make('Other')).toMatchObject({ status: 422, body: { error: { code: 'idempotency.mismatch' } } })
  expect((await server.call('GET', '/api/conversations')).body.conversations).toMatchObject([{ id, title: 'One' }])
})

test.each(['sqlite', 'postgres'] as const)(
  'on %s a server goes on with the turn of another that was killed, when somebody answers',
  async kind => {
    const job = await newJob(kind)
    server = await startProcess(program, job)
    const other = await startProcess(program, job)
    try {
      const { id } = (await other.call('POST', '/api/conversations', {})).body
      const first = await follow(other, id)
      await other.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })
      const { requestId } = await first.until(({ type }) => type === 'request.opened')
      const path = `/api/conversations/${id}`
      expect((await server.call('GET', path)).body).toMatchObject({ turns: [{ status: 'running' }] })
      const follower = await follow(server, id)
      await other.end('SIGKILL')
      const answer = () => server.call('POST', `/api/requests/${requestId}/answer`, { decision: 'allow' })
      await expect.poll(async () => (await answer()).status, { timeout: 60_000 }).toBe(200)
      expect(await follower.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'half whole' })
      contiguous(follower.events)
      expect(timesRun(job)).toBe(1)
    } finally {
      await other.end('SIGKILL')
    }
  },
)

test('on postgres a surviving server goes on by itself with the turn of one that was killed, also where nobody asks', async () => {
  const job = await newJob('postgres')
  const doomed = await startProcess(program, { ...job, hangs: true })
  onTestFinished(() => doomed.end('SIGKILL'))
  const { id } = (await doomed.call('POST', '/api/conversations', {})).body
  const first = await follow(doomed, id)
  server = await startProcess(program, { ...job, says: 'from the survivor' })
  await doomed.call('POST', `/api/conversations/${id}/turns`, { text: 'talk' })
  await first.until(({ type }) => type === 'message.delta')
  await doomed.end('SIGKILL')
  const turns = () => postgres.rows(`SELECT status FROM ${schemaOf(job)}.turns`)
  await expect.poll(turns, { timeout: 30_000 }).toEqual([{ status: 'completed' }])
  const back = await follow(server, id, first.events.at(-1).seq)
  expect(await back.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'half from the survivor' })
  contiguous([...first.events, ...back.events])
})

/** The environment of a process whose clock, in every thread, is off by this many minutes. */
const clockOffBy = (minutes: number) => ({
  NODE_OPTIONS: `--import "data:text/javascript,const { now } = Date; Date.now = () => now() + ${minutes * 60_000}"`,
})

test.each(['sqlite', 'postgres'] as const)(
  'on %s a server whose clock is ten minutes ahead takes no turn from a living one',
  async kind => {
    const job = await newJob(kind)
    server = await startProcess(program, { ...job, says: 'from the first' })
    const { id } = (await server.call('POST', '/api/conversations', {})).body
    const first = await follow(server, id)
    await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })
    const { requestId } = await first.until(({ type }) => type === 'request.opened')
    const ahead = await startProcess(program, { ...job, says: 'from the second' }, clockOffBy(10))
    onTestFinished(() => ahead.end('SIGKILL'))
    for (let i = 0; i < 3; i++) expect((await ahead.call('GET', `/api/conversations/${id}`)).status).toBe(200)
    await server.call('POST', `/api/requests/${requestId}/answer`, { decision: 'allow' })
    expect(await first.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'half from the first' })
    contiguous(first.events)
  },
)

test('a server whose clock is ten minutes back takes over the turn of one that has fallen silent', async () => {
  const job = await newJob('postgres')
  server = await startProcess(program, { ...job, says: 'from the first', hangs: 'at once' })
  const { id } = (await server.call('POST', '/api/conversations', {})).body
  const first = await follow(server, id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'talk' })
  await first.until(({ type }) => type === 'message.added')
  // As of another machine: nobody knows that its process has ended, but for the end of its lease.
  await server.end('SIGKILL')
  await postgres.query(`UPDATE ${schemaOf(job)}.conversations SET holder = 'elsewhere/1/x'`)
  server = await startProcess(program, { ...job, says: 'from the second' }, clockOffBy(-10))
  const second = await follow(server, id)
  expect(await second.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'half from the second' })
})

const schemaOf = ({ store }: Job): string => /search_path=(\w+)/.exec(decodeURIComponent(store.url))?.[1] ?? ''
