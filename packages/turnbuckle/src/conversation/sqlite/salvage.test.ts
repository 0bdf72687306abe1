import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, tool } from 'turnbuckle'
import { exportConversation, importConversation, type Loss, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-salvage-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A file that was closed in order: four turns with a call each. */
async function written(name: string): Promise<string> {
  const path = join(folder, name)
  const store = sqliteStore(path)
  const reply = { text: 'See. '.repeat(200), calls: [{ name: 'note', args: {} }] }
  const model = scriptedModel([({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Done.' : reply)], {
    repeat: true,
  })
  const agent = createAgent({ model, tools: [tool({ name: 'note', run: () => 'noted' })], store, breaker: false })
  for (const id of ['a', 'b']) for (let i = 0; i < 12; i++) await agent.conversation(id).send(`Turn ${i}.`)
  await store.close()
  return path
}

const damages = {
  torn: (path: string, keep: number) => truncateSync(path, keep),
  zeroed: (path: string, keep: number) => {
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0, keep))
  },
}

for (const [how, damage] of Object.entries(damages))
  for (const part of [0.5, 0.8, 0.97])
    test(`a file ${how} after ${100 * part} % opens to its readable beginning, shows the loss, and is left as it is`, async () => {
      const whole = await written(`${how}-${part}.db`)
      const sound = sqliteStore(whole)
      const before = await sound.events('a')
      await sound.close()
      const path = join(folder, `${how}-${part}-damaged.db`)
      copyFileSync(whole, path)
      damage(path, Math.floor(statSync(path).size * part))
      const bytes = readFileSync(path)
      const told: Loss[] = []
      const store = sqliteStore(path, { onLoss: loss => told.push(loss) })
      expect(store.loss).toBe(told[0])
      expect(store.loss?.message).toContain('It is open for reading only')
      const events = await store.events('a')
      // A prefix of what there was, event for event.
      expect(events).toEqual(before.slice(0, events.length))
      expect(events.length + (await store.events('b')).length).toBeGreaterThan(0)
      expect(events.length + (await store.events('b')).length).toBe(
        store.loss?.conversations?.reduce((sum, { readable }) => sum + readable, 0),
      )
      await expect((async () => store.delete('a'))()).rejects.toMatchObject({ code: 'store.damaged', kind: 'store' })
      const chat = createAgent({ model: scriptedModel(['On.']), store }).conversation('a')
      expect(await chat.send('On we go.').settled).toMatchObject({ status: 'failed', error: { code: 'store.damaged' } })
      // What can be read can be taken elsewhere, and is valid there.
      const elsewhere = memoryStore()
      await importConversation(elsewhere, await exportConversation(store, 'a'))
      const head = (await elsewhere.conversation('a'))?.head ?? ''
      expect(checkHistory((await elsewhere.path('a', head)).map(({ message }) => message))).toEqual([])
      await store.close()
      expect(readFileSync(path).equals(bytes)).toBe(true)
    })

test('of a file of which nothing can be read nothing is opened', async () => {
  const path = await written('gone.db')
  writeFileSync(path, readFileSync(path).fill(0, 4096))
  expect(() => sqliteStore(path)).toThrow(expect.objectContaining({ code: 'store.damaged' }))
})
