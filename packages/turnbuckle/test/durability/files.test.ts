import { createAgent, middleware, type Part } from 'turnbuckle'
import { createStore, exportConversation, importConversation, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 7) % 256)
const base64 = Buffer.from(bytes).toString('base64')

const forms = [
  { what: 'bytes', data: bytes, kept: base64 },
  { what: 'a Buffer', data: Buffer.from(bytes), kept: base64 },
  { what: 'an address', data: new URL('https://example.com/a.png'), kept: 'https://example.com/a.png' },
  { what: 'a data URL', data: new URL('data:image/png;base64,AAEC'), kept: 'data:image/png;base64,AAEC' },
  { what: 'base64 text', data: 'AAEC', kept: 'AAEC' },
] as const

const filesOf = (messages: readonly { readonly content: readonly Part[] }[]) =>
  messages.flatMap(({ content }) => content).flatMap(part => (part.type === 'file' ? [part.data] : []))

for (const [name, make] of [
  ['memory', memoryStore],
  ['SQLite', () => sqliteStore(':memory:')],
] as const)
  test.each(forms)(
    `${name}: a file given as $what is the same in the log, the export and the next process`,
    async form => {
      const { data, kept } = form
      const file = { type: 'file', mediaType: 'image/png', data } as const
      const { driver } = make()
      const store = createStore(driver)
      // From a person, a model, a hook that changes a message, and a hook that adds one.
      const hook = middleware({
        name: 'hook',
        beforeAppend(ctx) {
          if (ctx.message.role === 'assistant')
            ctx.message = { ...ctx.message, content: [...ctx.message.content, file] }
        },
        beforeStep: ctx => ctx.messages.append({ role: 'user', content: [file] }),
      })
      const model = scriptedModel([{ chunks: [{ type: 'text', text: 'See.' }, file] }])
      const chat = createAgent({ model, store, use: [hook] }).conversation('c')
      await chat.send({ role: 'user', content: [{ type: 'text', text: 'Look.' }, file] })
      expect(filesOf(chat.messages)).toEqual([kept, kept, kept, kept])
      const next = createAgent({ model: scriptedModel(['Yes.']), store: createStore(driver) }).conversation('c')
      expect(next.messages).toEqual(chat.messages)
      const copy = memoryStore()
      await importConversation(copy, await exportConversation(store, 'c'))
      // Who wrote a message is marked as imported; what it says is the same.
      const contents = async (from: typeof copy) => (await from.nodes('c')).map(({ message }) => message.content)
      expect(await contents(copy)).toEqual(await contents(store))
    },
  )

test('a turn that was cut by a crash goes on with the file that was sent', async () => {
  const { driver } = memoryStore()
  const first = createAgent({
    model: scriptedModel([() => new Promise<never>(() => {})]),
    store: createStore(driver),
  })
  const turn = first
    .conversation('c')
    .send({ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: bytes }] })
  for await (const event of turn) if (event.type === 'message.added') await first.close()
  const model = scriptedModel(['Seen.'])
  await createAgent({ model, store: createStore(driver) }).resume('c')
  expect(filesOf(model.prompts[0]?.messages ?? [])).toEqual([base64])
})
