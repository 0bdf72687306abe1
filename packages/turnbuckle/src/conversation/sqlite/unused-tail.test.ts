import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, tool } from 'turnbuckle'
import { type ConversationStore, type Loss, sqliteStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { afterAll, expect, test } from 'vitest'
import { unusedTail } from './unused-tail.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-tail-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function agentOn(store: ConversationStore) {
  const note = tool<{ line: string }>({ name: 'note', run: ({ line }) => line })
  const model = scriptedModel(
    [
      ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? 'Done.' : { text: 'See.', calls: [{ name: 'note', args: { line: 'a' } }] },
    ],
    { repeat: true },
  )
  return createAgent({ model, tools: [note], store, breaker: false })
}

const damages = [0.2, 0.5, 0.8, 0.97].flatMap(kept => [
  { kept, how: 'torn' },
  { kept, how: 'zeroed' },
])

test('a torn or zeroed end of the log opens to what can be read, and goes on from there', async () => {
  const path = join(folder, 'whole.db')
  // The copies are opened by the same process, which lives: its leases must run out.
  const store = sqliteStore(path, { leaseMs: 30 })
  const agent = agentOn(store)
  for (let i = 0; i < 4; i++) await agent.conversation('c').send(`Turn ${i}.`)
  const wal = readFileSync(`${path}-wal`)
  const lengths: number[] = []
  const losses: number[] = []
  for (const { kept, how } of damages) {
    const copy = join(folder, `${how}-${kept}.db`)
    const rest = wal.subarray(0, Math.floor(wal.length * kept))
    copyFileSync(path, copy)
    writeFileSync(`${copy}-wal`, how === 'torn' ? rest : Buffer.concat([rest, Buffer.alloc(wal.length - rest.length)]))
    lengths.push(await goOn(copy, loss => losses.push(loss.bytes ?? 0)))
  }
  // Each time SQLite has cut something off without a word; we say so.
  expect(losses.length).toBe(damages.length)
  expect(Math.min(...losses)).toBeGreaterThan(0)
  expect(Math.min(...lengths)).toBeLessThan((await store.events('c')).length)
  store.close()
})

/** Returns how many events could be read. */
async function goOn(path: string, onLoss: (loss: Loss) => void): Promise<number> {
  const store = sqliteStore(path, { onLoss })
  const events = await store.events('c')
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  const agent = agentOn(store)
  const resumed = agent.resume('c')
  for await (const event of resumed ?? [])
    if (event.type === 'request.opened') resumed?.answer(event.requestId, { outcome: 'happened' })
  expect((await agent.conversation('c').send('On we go.')).status).toBe('completed')
  expect(checkHistory(agent.conversation('c').messages)).toEqual([])
  store.close()
  return events.length
}

test('of a log that is missing, empty or whole no byte is unused', async () => {
  const path = join(folder, 'sound.db')
  const log = `${path}-wal`
  expect(unusedTail(log)).toBe(0)
  const store = sqliteStore(path)
  await agentOn(store).conversation('c').send('Go.')
  expect(unusedTail(log)).toBe(0)
  const bytes = readFileSync(log)
  const copy = join(folder, 'copy-wal')
  writeFileSync(copy, '')
  expect(unusedTail(copy)).toBe(0)
  writeFileSync(copy, Buffer.concat([bytes, Buffer.alloc(100)]))
  expect(unusedTail(copy)).toBe(100)
  await store.close()
})
