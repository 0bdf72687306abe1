import { createAgent, middleware } from 'turnbuckle'
import { createStore, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const texts = (messages: readonly { readonly content: readonly unknown[] }[]) =>
  messages.map(({ content }) => (content[0] as { text: string }).text)

for (const [name, make] of [
  ['memory', memoryStore],
  ['SQLite', () => sqliteStore(':memory:')],
] as const)
  test(`${name}: what a hook has edited is there when the conversation is opened again`, async () => {
    // Was: the log had the edit, the tables did not, and the path began after it.
    const { driver } = make()
    const edit = middleware({
      name: 'edit',
      beforeStep(ctx) {
        const last = ctx.messages.at(-1)
        if (last) ctx.messages.replace(last.id, { role: 'user', content: 'Edited.' })
        ctx.messages.append({ role: 'user', content: 'Added.' })
      },
    })
    const agent = createAgent({ model: scriptedModel(['Hi.']), store: createStore(driver), use: [edit] })
    const chat = agent.conversation('c')
    await chat.send('Go.')
    expect(texts(chat.messages)).toEqual(['Edited.', 'Added.', 'Hi.'])
    const later = createAgent({ model: scriptedModel([]), store: createStore(driver) }).conversation('c')
    expect(later.messages).toEqual(chat.messages)
    expect(texts(later.tree.map(({ message }) => message))).toEqual(['Go.', 'Edited.', 'Added.', 'Hi.'])
  })
