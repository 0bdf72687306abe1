import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, type Event, middleware, TurnbuckleError, tool } from 'turnbuckle'
import { type Commit, type ConversationStore, createStore, type Driver, memoryStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-faults-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const full = () => new TurnbuckleError('store.full', 'There is no space left.', { kind: 'store' })

/** A driver whose disk is full from a commit on, until it is not. */
function filling(driver: Driver, from: number): { driver: Driver; free(): void } {
  let commits = 0
  let space = false
  const failing = new Proxy(driver, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member
      return (commit: Commit) => {
        if (++commits >= from && !space) throw full()
        return target.commit(commit)
      }
    },
  })
  return {
    driver: failing,
    free: () => {
      space = true
    },
  }
}

function agentOn(store: ConversationStore, ran: string[] = []) {
  const note = tool<{ line: string }>({
    name: 'note',
    run({ line }) {
      ran.push(line)
      return line
    },
  })
  const model = scriptedModel(
    [
      ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? 'Done.' : { text: 'See.', calls: [{ name: 'note', args: { line: 'a' } }] },
    ],
    { repeat: true },
  )
  return createAgent({ model, tools: [note], store, breaker: false })
}

for (const from of [1, 2, 3, 4, 5])
  test(`a disk that is full from commit ${from} on fails the turn, and nothing is invented`, async () => {
    const memory = memoryStore().driver
    const { driver, free } = filling(memory, from)
    const ran: string[] = []
    const agent = agentOn(createStore(driver), ran)
    const chat = agent.conversation('c')
    const turn = chat.send('Go.')
    const events: Event[] = []
    for await (const event of turn) events.push(event)
    const result = await turn.settled
    expect(result).toMatchObject({ status: 'failed', by: 'store', reason: 'There is no space left.' })
    expect(result.error).toMatchObject({ code: 'store.full', kind: 'store' })
    expect(events.at(-1)).toMatchObject({ type: 'turn.failed', by: 'store' })
    const told = events.filter(({ seq }) => seq !== undefined).map(({ type, seq }) => ({ type, seq }))
    const log = await createStore(memory).events('c')
    expect(log.map(({ type, seq }) => ({ type, seq })).slice(0, told.length)).toEqual(told)
    expect((await chat.send('More.').settled).status).toBe('failed')
    free()
    const again = agent.conversation('c')
    const resumed = agent.resume('c') ?? again.send('Go.')
    for await (const event of resumed)
      if (event.type === 'request.opened') resumed.answer(event.requestId, { outcome: 'happened' })
    expect((await resumed).status).toBe('completed')
    expect(checkHistory(agent.conversation('c').messages)).toEqual([])
    expect(ran).toEqual(['a'])
  })

test('a second writer waits, then is refused; the first one goes on', async () => {
  const { driver } = memoryStore()
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  const slow = tool({ name: 'note', run: () => gate })
  const model = scriptedModel([{ calls: [{ name: 'note', args: {} }] }, 'Done.'])
  const first = createAgent({ model, tools: [slow], store: createStore(driver) })
    .conversation('c')
    .send('Go.')
  for await (const event of first) if (event.type === 'tool.executing') break
  const second = await agentOn(createStore(driver, { waitMs: 0 }))
    .conversation('c')
    .fork(null)
    .send('Me too.').settled
  expect(second).toMatchObject({ status: 'failed', by: 'store', error: { code: 'conversation.locked' } })
  release()
  expect((await first).status).toBe('completed')
})

test('a writer that was taken over may not go on: its turn fails, its call is not run', async () => {
  const { driver } = memoryStore()
  const ran: string[] = []
  let takeOver = () => {}
  const model = scriptedModel([
    () => {
      takeOver()
      return { calls: [{ name: 'note', args: { line: 'a' } }] }
    },
  ])
  takeOver = () => {
    driver.commit({
      conversation: 'c',
      holder: 'other',
      fence: undefined,
      leaseMs: 60_000,
      release: false,
      records: [],
      head: undefined,
    })
  }
  const note = tool({ name: 'note', run: () => void ran.push('a') })
  const agent = createAgent({ model, tools: [note], store: createStore(driver, { leaseMs: 0 }) })
  const result = await agent.conversation('c').send('Go.').settled
  expect(result).toMatchObject({ status: 'failed', by: 'store', error: { code: 'store.fenced' } })
  expect(ran).toEqual([])
})

test('a closed agent parks its turn, and another one goes on with it', async () => {
  const { driver } = memoryStore()
  const hooks: string[] = []
  const agent = createAgent({
    model: scriptedModel([{ text: 'See.', calls: [{ name: 'wait', args: {}, id: 'w' }] }]),
    tools: [tool({ name: 'wait', idempotent: true, run: () => new Promise(() => {}) })],
    store: createStore(driver),
    use: [quiet(hooks)],
  })
  const turn = agent.conversation('c').send('Go.')
  const types: string[] = []
  for await (const event of turn) {
    types.push(event.type)
    if (event.type === 'tool.executing') await agent.close()
  }
  expect(types.at(-1)).toBe('turn.parked')
  expect(hooks).toEqual([])
  expect(() => agent.conversation('c').send('More.')).toThrow(expect.objectContaining({ code: 'agent.closed' }))
  const later = createAgent({
    model: scriptedModel(['Done.']),
    tools: [tool({ name: 'wait', idempotent: true, run: () => 'waited' })],
    store: createStore(driver, { waitMs: 0 }),
    use: [quiet(hooks)],
  })
  expect(await later.resume('c')).toMatchObject({ status: 'completed', text: 'Done.' })
  expect(hooks).toEqual(['afterTurn'])
})

test('a pending request of a parked turn is answered in another process', async () => {
  const { driver } = memoryStore()
  const make = (store: ConversationStore) =>
    createAgent({
      model: scriptedModel(
        [
          ({ messages }) =>
            messages.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ name: 'note', args: {}, id: 'n' }] },
        ],
        { repeat: true },
      ),
      tools: [tool({ name: 'note', run: () => 'noted' })],
      store,
      use: [asking],
    })
  const first = make(createStore(driver))
  const turn = first.conversation('c').send('Go.')
  for await (const event of turn) if (event.type === 'request.opened') await first.close()
  const second = make(createStore(driver))
  const [request] = second.conversation('c').requests
  second.conversation('c').answer(request?.id ?? '', { decision: 'allow' })
  const third = make(createStore(driver))
  expect(await third.resume('c')).toMatchObject({ status: 'completed', text: 'Done.' })
})

test('all that was told is found after a crash once it is kept; text is withdrawn when the turn goes on', async () => {
  const { driver } = memoryStore()
  const agent = createAgent({
    model: {
      id: 'slow',
      async *stream() {
        yield { type: 'reasoning', text: 'Hm.' }
        yield { type: 'text', text: 'Half a ' }
        await Promise.resolve()
        yield { type: 'text', text: 'sentence' }
        await new Promise(() => {})
      },
    },
    store: createStore(driver, { leaseMs: 0 }),
  })
  const chat = agent.conversation('c')
  const turn = chat.send('Go.')
  for await (const event of turn) if (event.type === 'message.delta' && event.text.endsWith('sentence')) break
  await chat.kept()
  const found = createAgent({ model: scriptedModel([]), store: createStore(driver) }).conversation('c')
  expect(found.partial(turn.id)).toMatchObject({ text: 'Half a sentence', reasoning: 'Hm.' })
  const told = found.told(turn.id).map(event => (event.type === 'message.text' ? event.text : event.type))
  expect(told).toEqual(['turn.started', 'message.added', 'message.started', 'Hm.', 'Half a sentence'])
  const later = createAgent({ model: scriptedModel(['Whole.']), store: createStore(driver) })
  const types: string[] = []
  for await (const event of later.resume('c') ?? []) types.push(event.type)
  expect(types).toContain('message.discarded')
  expect(later.conversation('c').messages.at(-1)?.content).toEqual([{ type: 'text', text: 'Whole.' }])
})

test('an interrupt right after send ends the turn with a valid history', async () => {
  const store = memoryStore()
  const turn = agentOn(store).conversation('c').send('Go.')
  turn.interrupt('never mind')
  expect((await turn).status).toBe('interrupted')
  const types = (await store.events('c')).map(({ type }) => type)
  expect(types).toEqual(['turn.started', 'message.added', 'turn.interrupted'])
})

test('an interjection right after send is heard', async () => {
  const store = memoryStore()
  const chat = agentOn(store).conversation('c')
  const turn = chat.send('Go.')
  turn.interject('And this.')
  await turn
  expect(chat.messages.filter(({ role }) => role === 'user').length).toBe(2)
})

const asking = middleware({
  name: 'asking',
  guard: true,
  async beforeTool(ctx) {
    await ctx.ask('permission', ctx.call)
  },
})

function quiet(hooks: string[]) {
  return middleware({
    name: 'quiet',
    afterTool: ctx => {
      if (ctx.status !== 'done') hooks.push('afterTool')
    },
    afterTurn: () => void hooks.push('afterTurn'),
  })
}
