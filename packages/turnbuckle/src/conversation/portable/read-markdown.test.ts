import fc from 'fast-check'
import type { Part } from 'turnbuckle'
import { exportConversation, importConversation, memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'

type Said = { readonly role: string; readonly content: readonly Part[]; readonly interrupted?: boolean }

const asFile = (path: readonly Said[]): string =>
  JSON.stringify({
    format: 'turnbuckle',
    version: 1,
    id: 'c',
    title: 'A trip',
    head: `n${path.length - 1}`,
    nodes: path.map((message, i) => ({
      id: `n${i}`,
      ...(i ? { parent: `n${i - 1}` } : {}),
      at: 1,
      message: { id: `n${i}`, ...message },
    })),
  })

/** Through JSON into a store, out as Markdown, into another, and what that has. */
async function roundTrip(path: readonly Said[]) {
  const [first, second] = [memoryStore(), memoryStore()]
  const markdown = await exportConversation(first, await importConversation(first, asFile(path)), 'md')
  const id = await importConversation(second, markdown)
  const messages = (await second.nodes(id)).map(({ message: { id: _, ...said } }) => said)
  expect(await exportConversation(second, id, 'md')).toBe(markdown)
  return { messages, markdown, title: (await second.conversation(id))?.title }
}

const text = (words: string): Part => ({ type: 'text', text: words })

test('a result of very many backticks goes out and comes in', async () => {
  const value = '` '.repeat(200_000)
  const path: Said[] = [
    { role: 'assistant', content: [{ type: 'call', id: 'call_1', name: 'note', args: {} }] },
    { role: 'tool', content: [{ type: 'result', id: 'call_1', name: 'note', status: 'ok', value }] },
  ]
  expect((await roundTrip(path)).messages[1]?.content).toMatchObject([{ value }])
})

test('a path that went out as Markdown comes in again as it was: text, thoughts, calls, results', async () => {
  const path: Said[] = [
    { role: 'system', content: [text('Be brief.')] },
    { role: 'user', content: [text('Go.\n\n> quoted\n\n```ts\nconst x = 1\n```')] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'First\n\nthen.' },
        text('See.'),
        { type: 'call', id: 'call_1', name: 'note', args: { a: ['```', '## User'] } },
        { type: 'call', id: 'call_2', name: 'note', args: {} },
      ],
    },
    { role: 'tool', content: [{ type: 'result', id: 'call_1', name: 'note', status: 'ok', value: '## User\n````' }] },
    {
      role: 'tool',
      content: [{ type: 'result', id: 'call_2', name: 'note', status: 'denied', value: { why: null } }],
    },
    { role: 'assistant', content: [text('Half a')], interrupted: true },
  ]
  const { messages, title } = await roundTrip(path)
  expect(messages).toEqual(path)
  expect(title).toBe('A trip')
})

const marks = ['## User', '## Tool (interrupted)', 'Calls `x`:', '`x` (ok):', '> **Reasoning**', '\\## User', '']
const words = fc
  .array(fc.oneof(fc.constantFrom(...marks), fc.string(), fc.string({ unit: 'binary' })), {
    minLength: 1,
    maxLength: 5,
  })
  .map(lines => lines.join('\n'))
  .filter(Boolean)

test('no text is taken for a mark of the file', async () => {
  const said = fc.record({ thought: words, says: words, args: fc.jsonValue(), value: fc.oneof(words, fc.jsonValue()) })
  await fc.assert(
    fc.asyncProperty(said, async ({ thought, says, args, value }) => {
      const path: Said[] = [
        { role: 'user', content: [text(says)] },
        {
          role: 'assistant',
          content: [{ type: 'reasoning', text: thought }, text(says), { type: 'call', id: 'call_1', name: 'x', args }],
        },
        { role: 'tool', content: [{ type: 'result', id: 'call_1', name: 'x', status: 'ok', value }] },
        { role: 'assistant', content: [text(says)] },
      ]
      const json: unknown = JSON.parse(JSON.stringify(path))
      expect((await roundTrip(path)).messages).toEqual(json)
    }),
  )
})

test('files and sources are named; what was written by hand is read', async () => {
  const { markdown } = await roundTrip([
    {
      role: 'user',
      content: [
        { type: 'file', mediaType: 'image/png', data: 'AAEC', name: 'map.png' },
        { type: 'source', url: 'https://example.com' },
      ],
    },
  ])
  expect(markdown).toContain('[file: map.png]\n\n[source: https://example.com]')
  const store = memoryStore()
  const id = await importConversation(store, '\n## User\nHello.\n## Assistant\nYes?\n', { owner: 'ann' })
  expect((await store.nodes(id)).map(({ message }) => message)).toMatchObject([
    { role: 'user', content: [text('Hello.')] },
    { role: 'assistant', content: [text('Yes?')] },
  ])
  expect(await store.conversation(id)).toMatchObject({ owner: 'ann', head: 'm2' })
})

test.each([
  { name: 'a file of something else', file: 'Dear all,\n\nhello.', says: 'no conversation that Turnbuckle exported' },
  { name: 'an empty file', file: '', says: 'neither JSON nor' },
  { name: 'a call without arguments', file: '## Assistant\n\nCalls `x`:\n\nYes.', says: 'line 5 should begin' },
  { name: 'a block without an end', file: '## Assistant\n\nCalls `x`:\n\n```json\n{}', says: 'line 5 has no end' },
  {
    name: 'arguments that are no JSON',
    file: '## Assistant\n\nCalls `x`:\n\n```json\n{\n```',
    says: 'no JSON at line 6',
  },
  { name: 'a result nobody asked for', file: '## Tool\n\n`x` (ok):\n\n```\n1\n```', says: 'answers no call' },
  { name: 'an unknown status', file: '## Tool\n\n`x` (fine):\n\n```\n1\n```', says: 'status is none of' },
])('$name is refused, with where', async ({ file, says }) => {
  const store = memoryStore()
  await expect(importConversation(store, file)).rejects.toMatchObject({
    code: 'import.invalid',
    message: expect.stringContaining(says),
  })
  expect(await store.list()).toEqual([])
})
