import { fileURLToPath } from 'node:url'
import { createAgent, type Message, type ResultPart, type Turn } from 'turnbuckle'
import { connectMcp, type Mcp, type McpOptions } from 'turnbuckle/mcp'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const path = fileURLToPath(new URL('../../test/fixtures/mcp-asking-server.mjs', import.meta.url))
const server = { command: process.execPath, args: [path] }
const start = (options?: McpOptions) => connectMcp({ it: server }, { prefix: false, roots: ['file:///a'], ...options })

let mcp: Mcp
beforeAll(async () => {
  mcp = await start()
})
afterAll(() => mcp.close())

const resultOf = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) => content).findLast(part => part.type === 'result') as ResultPart

type Answer = (turn: Turn, requestId: string) => void

/** A call through an agent, and the requests that were opened meanwhile. */
async function call(name: string, answer: Answer = () => {}, from: Mcp = mcp) {
  const model = scriptedModel([{ calls: [{ name, args: {} }] }, 'ok', 'ok'])
  const agent = createAgent({ model })
  const detach = from.attach(agent)
  const turn = agent.send('go')
  const asked: { kind: string; payload: unknown }[] = []
  for await (const event of turn)
    if (event.type === 'request.opened') {
      asked.push({ kind: event.kind, payload: event.payload })
      answer(turn, event.requestId)
    }
  const { messages, usage } = await turn.settled
  detach()
  return { result: resultOf(messages), asked, model, usage }
}
const answerWith =
  (answer: unknown): Answer =>
  (turn, id) =>
    void turn.answer(id, answer)

describe('a question of a server is put to the person of the call', () => {
  test('and its answer goes back, with the defaults of fields that were left out', async () => {
    const { result, asked } = await call('elicit', answerWith({ name: 'Ada' }))
    expect(asked).toMatchObject([
      {
        kind: 'elicitation',
        payload: { server: 'it', question: 'it asks: Who are you?', schema: { required: ['name'] } },
      },
    ])
    expect(JSON.parse(String(result.value))).toEqual({ action: 'accept', content: { name: 'Ada', age: 30 } })
  })
  test('who may decline, or let it pass', async () => {
    const declined = await call('elicit', answerWith({ action: 'decline' }))
    expect(declined.result.value).toBe('{"action":"decline"}')
    const passed = await call('elicit', (turn, id) => turn.expire(id))
    expect(passed.result.value).toBe('{"action":"cancel"}')
  })
  test('an answer that does not fit the form is refused, and the question stays', async () => {
    const { result } = await call('elicit', (turn, id) => {
      expect(() => turn.answer(id, { age: 'old' })).toThrow()
      turn.answer(id, { name: 'Ada', age: 3 })
    })
    expect(String(result.value)).toContain('"age":3')
  })
  test('an address to open is shown; one that is no web address is not', async () => {
    const { asked, result } = await call('open', answerWith({}))
    expect(asked).toMatchObject([{ payload: { url: 'https://example.org/sign' } }])
    expect(result.value).toBe('{"action":"accept"}')
    const bad = await call('danger')
    expect(bad.asked).toEqual([])
    expect(bad.result.value).toBe('{"action":"decline"}')
  })
  test('nobody is asked where calls of two conversations run', async () => {
    const [first, second] = await Promise.all([
      call('elicit', answerWith({ name: 'A' })),
      call('elicit', answerWith({ name: 'B' })),
    ])
    const values = [first, second].map(({ result }) => String(result.value))
    // The server asks while both calls are open, or after one is over: never is one person asked about the other's call.
    for (const [index, value] of values.entries())
      expect(['{"action":"cancel"}', `{"action":"accept","content":{"name":"${'AB'[index]}","age":30}}`]).toContain(
        value,
      )
  })
  test('and with `questions: false` servers cannot ask', async () => {
    const silent = await start({ questions: false })
    const { result, asked } = await call('elicit', () => {}, silent)
    await silent.close()
    expect(asked).toEqual([])
    expect(result.status).toBe('error')
  })
})

describe('a reply of the agent’s model for a server', () => {
  test('is made when the person allows it, and counted', async () => {
    const { result, asked, model } = await call('sample', answerWith({ decision: 'allow' }))
    expect(asked).toMatchObject([{ kind: 'permission', payload: { name: 'it (a reply of your model)' } }])
    expect(result.value).toBe('{"type":"text","text":"ok"}')
    expect(model.prompts[1]).toMatchObject({ instructions: 'Be short.', params: { maxOutputTokens: 20 }, tools: [] })
  })
  test('is not made when the person denies it', async () => {
    const { result, model } = await call('sample', answerWith({ decision: 'deny', reason: 'too dear' }))
    expect(result).toMatchObject({ status: 'error', value: expect.stringContaining('too dear') })
    expect(model.prompts).toHaveLength(2)
  })
})

test('servers are told the folders that they may work in, and when those change', async () => {
  expect((await call('roots')).result.value).toBe('[{"uri":"file:///a"}]')
  await mcp.setRoots([{ uri: 'file:///b', name: 'B' }])
  await expect
    .poll(async () => (await call('heard')).result.value, { timeout: 20_000 })
    .toBe('[{"uri":"file:///b","name":"B"}]')
  await mcp.setRoots(['file:///a'])
})

test.each([
  { tool: 'structured', value: { rows: 3 }, what: 'data in place of a text about it' },
  { tool: 'wrapped', value: 'plain', what: 'a text that is only wrapped as itself' },
  {
    tool: 'picture',
    value: ['{"width":1}', { type: 'file', mediaType: 'image/png', data: 'AQI=' }],
    what: 'data beside files',
  },
])('structured content comes as $what', async ({ tool, value }) => {
  expect((await call(tool)).result.value).toEqual(value)
})
