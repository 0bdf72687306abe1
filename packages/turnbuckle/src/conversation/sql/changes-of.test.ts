import { createAgent, middleware } from 'turnbuckle'
import { createStore, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { changesOf, checkpoints, isCheckpoint, mayChangeTables } from './changes-of.ts'

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

const said = { id: 'm', role: 'user', content: [{ type: 'text', text: 'To OSLO\0' }] }

test.each([
  {
    type: 'message.added',
    body: { message: said, parentId: 'p', at: 1 },
    changes: [{ change: 'node', message: said, parent: 'p', turn: 't', at: 1, text: 'to oslo ' }],
  },
  {
    type: 'history.edited',
    body: { messages: [said, { ...said, id: 'n' }], parentId: 'p', at: 1 },
    changes: [
      { change: 'node', message: { id: 'm' }, parent: 'p' },
      { change: 'node', message: { id: 'n' }, parent: 'm' },
    ],
  },
  {
    type: 'usage',
    body: { messageId: 'm', inputTokens: 1, outputTokens: 2, total: {}, at: 1 },
    changes: [{ change: 'usage', node: 'm', usage: { inputTokens: 1, outputTokens: 2 } }],
  },
  { type: 'turn.started', body: { at: 1 }, changes: [{ change: 'turn', id: 't', status: 'open', at: 1 }] },
  {
    type: 'turn.failed',
    body: { at: 1, outcome: 'failed', usage: { inputTokens: 1, outputTokens: 1 } },
    changes: [{ change: 'turn', id: 't', status: 'failed', unpriced: true }],
  },
  { type: 'tool.failed', body: { callId: 'x' }, changes: [{ change: 'settled', callId: 'x', turn: 't' }] },
  {
    type: 'request.opened',
    body: { requestId: 'q', kind: 'k', payload: 1, at: 1 },
    changes: [{ change: 'request', id: 'q', kind: 'k', payload: 1, at: 1, turn: 't' }],
  },
  { type: 'request.answered', body: { requestId: 'q' }, changes: [{ change: 'answered', id: 'q' }] },
  { type: 'request.expired', body: { requestId: 'q' }, changes: [{ change: 'answered', id: 'q' }] },
  { type: 'title.changed', body: { to: 'A\0trip' }, changes: [{ change: 'title', title: 'A trip' }] },
  { type: 'message.hidden', body: { messageId: 'm' }, changes: [{ change: 'hidden', node: 'm' }] },
  { type: 'note.besides', body: { usage: {} }, changes: [{ change: 'usage', node: undefined }] },
  {
    type: 'note.state',
    body: { scope: 'conversation', name: 's', value: 1 },
    changes: [{ change: 'state', name: 's', value: 1 }],
  },
  {
    type: 'note.state',
    body: { scope: 'branch', node: 'm', name: 's', value: 1 },
    changes: [{ change: 'branch', node: 'm', name: 's', value: 1 }],
  },
  { type: 'note.state', body: { scope: 'turn', name: 's', value: 1 }, changes: [] },
  { type: 'my.news', body: {}, changes: [] },
])('a record $type with $body changes the tables by $changes', ({ type, body, changes }) => {
  const made = changesOf(type, body, 't')
  expect(made).toMatchObject(changes)
  expect(made).toHaveLength(changes.length)
})

test('a turn with a known price is not unpriced', () => {
  const usage = { inputTokens: 1, outputTokens: 1, cost: 0 }
  expect(changesOf('turn.completed', { at: 1, outcome: 'completed', usage }, 't')[0]).not.toHaveProperty('unpriced')
})

test.each([
  { type: 'note.raw', goes: true },
  { type: 'note.sketch', goes: true },
  { type: 'note.decisions', goes: false },
  { type: 'note.prompt', goes: false },
  { type: 'turn.started', goes: false },
])('records of type $type go when their turn ends: $goes', ({ type, goes }) => {
  expect(isCheckpoint(type)).toBe(goes)
})

test.each(checkpoints)('%s changes a table only where its type says that it may', type => {
  const body = { scope: 'conversation', name: 'n', value: 1, messageId: 'm', callId: 'c', usage: {} }
  expect(changesOf(type, body, 't').length > 0).toBe(mayChangeTables(type))
})
