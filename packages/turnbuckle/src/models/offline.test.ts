import { createAgent, offline, offlineTools, tool } from 'turnbuckle'
import { checkHistory, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const quick = () => offline({ delayMs: 0 })
const readFile = tool({ name: 'read_file', run: ({ path }) => `# ${path}` })
const listFiles = tool({ name: 'list_files', run: () => ['a.txt', 'b.txt'] })
const agent = () => createAgent({ model: quick(), tools: [readFile, listFiles], use: [offlineTools()] })

test('it says what it is, and what can be tried with the tools that are there', async () => {
  const { text, steps } = await agent().send('Hello!')
  expect(steps).toBe(1)
  expect(text).toContain('I am the offline model: a script, not an AI.')
  expect(text).toContain('- read README.md')
  expect(text).toContain('- what is 17*23')
  expect(text).not.toContain('fetch')
})

test('a tool of your own is called by its name and arguments, and the introduction says so', async () => {
  const schema = { type: 'object', properties: { order: { type: 'string' }, euros: { type: 'number' } } }
  const refund = tool<{ order: string }>({ name: 'refund', schema, run: ({ order }) => `paid back ${order}` })
  const agent = createAgent({ model: quick(), tools: [refund] })
  expect((await agent.send('Hi')).text).toContain('- refund {"order":"a","euros":1}')
  expect((await agent.send('refund {"order": "A7", "euros": 20}')).text).toBe('refund gave: paid back A7')
})

test('without tools it can still talk', async () => {
  const bare = createAgent({ model: quick() })
  expect((await bare.send('Hi')).text).toContain('This agent has no tools')
  expect((await bare.send('count to 5')).text).toBe('1 2 3 4 5')
})

test.each([
  { request: 'what is 17*23', says: '17*23 is 391.' },
  { request: 'read README.md', says: 'README.md says:\n\n```\n# README.md\n```' },
  { request: 'list files', says: /Here is what there is:\n\n```\n\[\n {2}"a.txt"/ },
  { request: 'fail', says: 'fail did not work: This tool fails on purpose.' },
  { request: 'run date', says: 'For that I would use the tool shell, which this agent does not have.' },
  { request: 'what is 1/0', says: 'calculate did not work: That cannot be calculated: the result is not a number.' },
])('"$request" is answered', async ({ request, says }) => {
  expect((await agent().send(request)).text).toMatch(says)
})

test('several requests are one batch, and each result is summed up', async () => {
  const { text, messages, steps } = await agent().send('read a.txt and list files; what is 6*7\nmumble')
  expect(steps).toBe(2)
  expect(messages[1]?.content.filter(part => part.type === 'call').map(part => part.name)).toEqual([
    'read_file',
    'list_files',
    'calculate',
  ])
  expect(text).toContain('# a.txt')
  expect(text).toContain('"b.txt"')
  expect(text).toContain('6*7 is 42.')
  expect(checkHistory(messages)).toEqual([])
})

test('what it did not understand it says', async () => {
  const { messages } = await agent().send('what is 6*7; mumble')
  expect(JSON.stringify(messages[1])).toContain('I do not understand \\"mumble\\".')
})

test('"ask me" asks the person, and gives the answer back', async () => {
  const turn = agent().send('ask me: tea or coffee')
  for await (const event of turn)
    if (event.type === 'request.opened') {
      expect(event).toMatchObject({ kind: 'clarification', payload: { question: 'tea or coffee' } })
      expect(() => turn.answer(event.requestId, {})).toThrow('Expected text')
      turn.answer(event.requestId, { text: 'tea' })
    }
  expect((await turn).text).toBe('You answered: tea')
})

test('a question that nobody answers is a result too', async () => {
  const clock = virtualClock()
  const turn = createAgent({ model: quick(), use: [offlineTools()], clock }).send('ask me')
  await clock.advance(300_000)
  expect((await turn).text).toBe('ask took too long: Nobody answered.')
})

test('"wait" tells how far it is, and an interrupt ends it', async () => {
  const clock = virtualClock()
  const turn = createAgent({ model: quick(), use: [offlineTools()], clock }).send('wait 5 seconds')
  const done: unknown[] = []
  const reading = (async () => {
    for await (const event of turn) if (event.type === 'tool.progress') done.push(event.done)
  })()
  await clock.advance(2500)
  turn.interrupt()
  await reading
  expect(done).toEqual([1, 2])
  expect((await turn).status).toBe('interrupted')
  await clock.advance(0)
  expect(clock.timers).toBe(0)
})

test('"wait" waits to its end', async () => {
  const clock = virtualClock()
  const turn = createAgent({ model: quick(), use: [offlineTools()], clock }).send('wait 1.5 seconds')
  await clock.advance(1500)
  expect((await turn).text).toBe('I waited 1.5 seconds.')
})

test('the text comes word by word, on the clock, and stops when interrupted', async () => {
  const clock = virtualClock()
  const turn = createAgent({ model: offline({ delayMs: 10, clock }), clock }).send('count to 50')
  await clock.advance(35)
  turn.interrupt()
  expect((await turn).text.trim()).toBe('1 2 3')
  await clock.advance(0)
  expect(clock.timers).toBe(0)
})

test('the same requests give the same replies, and cost nothing', async () => {
  const say = async () => {
    const { text, usage } = await agent().send('what is 2+2')
    return { text, usage }
  }
  const first = await say()
  expect(await say()).toEqual(first)
  expect(first.usage).toMatchObject({ cost: 0 })
  expect(first.usage.inputTokens).toBeGreaterThan(0)
})

test('an interjection is answered together with the results', async () => {
  const interjecting = tool({
    name: 'list_files',
    run: (_args, ctx) => {
      ctx.interject('what is 1+1')
      return []
    },
  })
  const { messages, text } = await createAgent({ model: quick(), tools: [interjecting], use: [offlineTools()] }).send(
    'ls',
  )
  expect(text).toBe('1+1 is 2.')
  expect(checkHistory(messages)).toEqual([])
})

test('arguments go under the names that the tool has for them', async () => {
  const seen: unknown[] = []
  const schema = { properties: { path: {}, old_text: {}, new_text: {} } }
  const edit = tool({ name: 'edit_file', schema, run: args => seen.push(args) })
  await createAgent({ model: quick(), tools: [edit] }).send('replace bread with cake in a.txt')
  expect(seen).toEqual([{ path: 'a.txt', old_text: 'bread', new_text: 'cake' }])
})
