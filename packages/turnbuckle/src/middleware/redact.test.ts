import { again, createAgent, type Middleware, middleware, stop, tool } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { redact } from './redact.ts'

const hidden = /EMP-\d{6}/

/** Everything that somebody could see or find of a turn. */
async function seen(script: Parameters<typeof scriptedModel>[0], use: readonly Middleware[], message = 'Go.') {
  const store = memoryStore()
  const look = tool({ name: 'look', run: () => ({ owner: 'EMP-123456' }) })
  const model = scriptedModel(script)
  const agent = createAgent({ model, tools: [look], store, use: [...use, ...redact(hidden, '[employee]')] })
  const turn = agent.conversation('c').send(message)
  const events: unknown[] = []
  for await (const event of turn) events.push(event)
  const result = await turn.settled
  const records = [await store.events('c'), await store.nodes('c'), await store.decisions('c', turn.id)]
  return { all: JSON.stringify([events, result, turn.explain(), records, model.prompts]), result }
}

const inPieces = [...'I am EMP-123456, and so on.'].map(text => ({ type: 'text' as const, text }))
const reasons = middleware({ name: 'reasons', afterDecide: () => stop('EMP-123456 has left') })
const asks = middleware({ name: 'asks', afterDecide: ctx => (ctx.step ? undefined : again('Ask EMP-123456.')) })

test.each<{ what: string; script: Parameters<typeof scriptedModel>[0]; use?: Middleware[]; message?: string }>([
  { what: 'a reply in pieces', script: [{ chunks: inPieces }] },
  { what: 'reasoning', script: [{ reasoning: 'It is EMP-123456.', text: 'Done by [employee].' }] },
  { what: 'a message', script: ['[employee]?'], message: 'Who is EMP-123456?' },
  { what: 'a result', script: [{ calls: [{ name: 'look' }] }, 'Done.'] },
  { what: 'a call', script: [{ calls: [{ name: 'look', args: { of: 'EMP-123456' } }] }, 'Done.'] },
  { what: 'the reason of a decision', script: ['Done.'], use: [reasons] },
  { what: 'what again says', script: ['Done.', 'Done.'], use: [asks] },
])('nobody sees a match in $what', async ({ script, use = [], message }) => {
  const { all } = await seen(script, use, message)
  expect(all).not.toContain('EMP-123456')
  expect(all).toContain('[employee]')
})

test('a word is found as it is, and what is none flows on', async () => {
  const turn = createAgent({
    model: scriptedModel([{ chunks: [...'hunt hunter2!'].map(text => ({ type: 'text', text })) }]),
    use: redact(['hunter2', /\bfoo\b/]),
  }).send('Go.')
  const shown: string[] = []
  for await (const text of turn.text) shown.push(text)
  expect(shown.join('')).toBe('hunt ***!')
})

test.each([
  { options: {}, status: 'blocked' },
  { options: { calls: 'pass' as const }, status: 'ok' },
])('a call with a match is blocked unless told: $options', async ({ options, status }) => {
  const look = tool({ name: 'look', run: () => 'seen' })
  const model = scriptedModel([{ calls: [{ name: 'look', args: { of: 'hunter2' } }] }, 'Done.'])
  const { messages } = await createAgent({ model, tools: [look], use: redact('hunter2', '***', options) }).send('Go.')
  expect(messages.flatMap(({ content }) => content).filter(({ type }) => type === 'result')).toMatchObject([{ status }])
})

test('a mistake is told where it is made', () => {
  expect(() => redact(5 as never, 'x')).toThrow('redact needs pattern')
  expect(() => redact('', 'x')).toThrow('redact needs pattern')
})
