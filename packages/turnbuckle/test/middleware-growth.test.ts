import { createAgent, type Message, type Model, tool } from 'turnbuckle'
import { clearToolResults, modelCache, pii, telemetry, trim } from 'turnbuckle/middleware'
import { expect, test } from 'vitest'
import { catalogue } from './middleware-catalogue.ts'

const length = 1000
const nothing = () => {}

/** A history that counts how often anybody looks into one of its messages. */
function counted(): { readonly messages: Message[]; reads: number } {
  const history = { messages: [] as Message[], reads: 0 }
  const look = (target: Message, key: string | symbol): unknown => {
    history.reads++
    return Reflect.get(target, key)
  }
  for (let i = 0; i < length; i += 4)
    history.messages.push(
      { id: `m${i}`, role: 'user', content: [{ type: 'text', text: `What about ${i}?` }] },
      { id: `m${i + 1}`, role: 'assistant', content: [{ type: 'call', id: `h${i}`, name: 'look', args: { i } }] },
      {
        id: `m${i + 2}`,
        role: 'tool',
        content: [{ type: 'result', id: `h${i}`, name: 'look', status: 'ok', value: `found ${i} `.repeat(9) }],
      },
      { id: `m${i + 3}`, role: 'assistant', content: [{ type: 'text', text: `It is ${i}.` }] },
    )
  return Object.assign(history, { messages: history.messages.map(message => new Proxy(message, { get: look })) })
}

/** Takes the list, as a real model does, and calls a tool three times; tells which call it is. */
function calling(called: (count: number) => void): Model {
  let count = 0
  return {
    id: 'calling',
    async *stream(prompt) {
      if (prompt.messages.length) called(++count)
      if (count < 4) yield { type: 'call', id: `c${count}`, name: 'look', args: { count } }
      else yield { type: 'text', text: 'Done.' }
    },
  }
}

const look = tool({ name: 'look', run: () => 'found it' })

const span = { setAttributes: nothing, setStatus: nothing, end: nothing, isRecording: () => true }
const api = {
  trace: { getTracer: () => ({ startSpan: () => span }), setSpan: nothing },
  context: { active: nothing, with: (_: unknown, run: () => unknown) => run() },
}

/** Besides the catalogue as it is: with the options that look at more. */
const more: typeof catalogue = {
  'trim where nothing needs to go': () => trim(),
  'trim by messages': () => trim({ maxMessages: 500, keepFirst: 4 }),
  'clearToolResults of a large prompt': () => clearToolResults({ over: 100, keep: 5 }),
  'telemetry with content': () => telemetry({ api, content: true }),
  'modelCache behind trim': () => [trim({ maxMessages: 900 }), modelCache()],
  'pii that blocks': () => pii({ style: 'block', calls: 'block' }),
}

/** Its work is to read the history. */
const { summarize: _, ...others } = catalogue

test.each(Object.entries({ ...others, ...more }))('%s looks into no old message again', async (_name, make) => {
  const history = counted()
  const before: number[] = []
  const agent = createAgent({
    model: calling(() => before.push(history.reads)),
    tools: [look],
    use: [make()].flat(),
    maxSteps: 10,
  })
  const turn = agent.conversation({ messages: history.messages }).send('Look.')
  for await (const event of turn)
    if (event.type === 'request.opened')
      turn.answer(event.requestId, event.kind === 'clarification' ? { text: 'yes' } : { decision: 'allow' })
  // Between the second call of the model and the third nothing of the first thousand messages is new.
  const [, second = 0, third = second] = before
  expect(third - second).toBeLessThan(60)
})

test('what is counted would be seen: one that reads everything reads a thousand messages', async () => {
  const history = counted()
  const before: number[] = []
  const agent = createAgent({
    model: calling(() => before.push(history.reads)),
    tools: [look],
    use: [catalogue.summarize?.() ?? []].flat(),
  })
  await agent.conversation({ messages: history.messages }).send('Look.')
  expect(before[0]).toBeGreaterThan(length)
})
