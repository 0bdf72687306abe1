import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from 'turnbuckle/stores'
import { expect, onTestFinished, test } from 'vitest'
import { everyEventAgent, isKept, tellEveryEvent } from '../../turnbuckle/test/every-event.ts'
import { createServer } from '../src/index.ts'
import { readSse } from './read-sse.ts'
import { callOf, follow } from './serve.ts'

/** A server on a file of conversations, and how to end it as a restart does. */
async function start(path: string) {
  const store = sqliteStore(path)
  const agent = everyEventAgent({ store })
  const server = await createServer({ agent, store, token: 'secret' })
  const end = async () => {
    await server.close()
    await agent.close()
    await store.close()
  }
  return { agent, end, url: server.url, call: callOf(server.url, 'secret') }
}

test('every event that a client reads after a restart is the one that was sent live, field by field', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-again-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'conversations.db')
  const first = await start(path)
  const { id } = (await first.call('POST', '/api/conversations', {})).body
  const client = await follow(first, id)
  await tellEveryEvent(first.agent, id)
  await client.until(({ type }) => type === 'head.moved')
  const live = client.events
  const types = new Set(live.map(({ type }) => type))
  expect(Object.entries(isKept).flatMap(([type, kept]) => (kept && !types.has(type) ? [type] : []))).toEqual([])
  expect(live[0]).toMatchObject({ type: 'turn.started', parentId: null })
  await first.end()

  const second = await start(path)
  onTestFinished(second.end)
  const again = await follow(second, id)
  await again.until(({ type }) => type === 'head.moved')
  expect(again.events).toStrictEqual(live)
  const lines = await readSse(second, id, '"type":"head.moved"')
  expect(lines.flatMap(line => (line.startsWith('data:') ? [JSON.parse(line.slice(5))] : []))).toStrictEqual(live)
})
