import { createAgent, type Event, middleware, textOf, tool } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const calls = [{ name: 'wait', id: 'c1' }]

/** A turn whose agent is closed while its tool runs. */
async function parked() {
  const store = memoryStore()
  const aborted: unknown[] = []
  const hooks: string[] = []
  const told: Event[] = []
  const watch = middleware({
    name: 'watch',
    afterTool: () => void hooks.push('tool'),
    afterTurn: () => void hooks.push('turn'),
  })
  let close = () => {}
  const stuck = tool({
    name: 'wait',
    idempotent: true,
    run: (_args, { signal }) => {
      signal.addEventListener('abort', () => void aborted.push(signal.reason), { once: true })
      close()
      return new Promise(() => {})
    },
  })
  const agent = createAgent({ model: scriptedModel([{ calls }]), tools: [stuck], store, use: [watch] })
  const closed = new Promise<void>(resolve => {
    close = () => resolve(agent.close())
  })
  const turn = agent.conversation('c').send('Go')
  for await (const event of turn) told.push(event)
  await closed
  return { store, turn, told, hooks, aborted }
}

test('a parked turn ends here as interrupted by the agent, and its readers hear why', async () => {
  const { turn, told } = await parked()
  const reason = 'parked: another process may resume it'
  expect(await turn.settled).toMatchObject({ status: 'interrupted', by: 'agent', reason })
  expect(told.at(-1)).toMatchObject({ type: 'turn.parked', reason })
})

test('no hook hears of it, and what runs is aborted', async () => {
  const { hooks, aborted } = await parked()
  expect(hooks).toEqual([])
  expect(aborted).toEqual(['parked: another process may resume it'])
})

test('another agent goes on with it, as the same turn', async () => {
  const { store, turn } = await parked()
  const quick = tool({ name: 'wait', idempotent: true, run: () => 'waited' })
  const later = createAgent({ model: scriptedModel(['Done']), tools: [quick], store })
  const resumed = later.resume('c')
  expect(resumed?.id).toBe(turn.id)
  expect(await resumed).toMatchObject({ status: 'completed', text: 'Done' })
})

test('it takes no more interjections', async () => {
  const { turn } = await parked()
  expect(() => turn.interject('Hello?')).toThrow(expect.objectContaining({ code: 'turn.ended' }))
})

/** A turn that waits for a person, left to its log by `turn.park()`. */
async function leftToLog() {
  const store = memoryStore()
  const mark = tool({ name: 'mark', needsApproval: true, run: () => 'marked' })
  const model = scriptedModel([{ calls: [{ name: 'mark', id: 'c1' }] }, 'Done'])
  const agent = createAgent({ model, tools: [mark], store })
  const turn = agent.conversation('c').send('Go', { id: 'mine' })
  for await (const { type } of turn) if (type === 'request.opened') turn.park()
  return { store, agent, turn }
}

test('a turn that was parked goes on in the same process, by its id, with what the log has got since', async () => {
  const { agent, turn, store } = await leftToLog()
  expect(await store.turns({ conversation: 'c' })).toMatchObject([{ id: 'mine', status: 'open' }])
  const chat = await agent.open('c')
  expect(chat.unfinished).toEqual([turn.id])
  await chat.answer(chat.requests[0]?.id ?? '', { decision: 'allow' })
  expect(agent.resume('c', 'other')).toBeUndefined()
  expect(await agent.resume('c', 'mine')).toMatchObject({ status: 'completed', text: 'Done' })
})

test('a turn without a log cannot be parked: it is interrupted', async () => {
  const turn = createAgent({ model: scriptedModel(['Hello']) }).send('Hi')
  turn.park()
  expect(await turn).toMatchObject({ status: 'interrupted' })
})

test('a turn that is parked while it waits to become the writer does not stay the writer', async () => {
  const { driver } = memoryStore()
  const open = () => createStore(driver, { waitMs: 60_000 })
  const held = createAgent({ model: scriptedModel([{ chunks: [], delayMs: 1 }, 'x'], { repeat: true }), store: open() })
  const slow = tool({ name: 'wait', run: () => new Promise(() => {}) })
  const first = createAgent({ model: scriptedModel([{ calls }]), tools: [slow], store: open() })
    .conversation('c')
    .send('Go')
  await first.began
  const waiting = (await held.open('c')).fork(null).send('Second')
  waiting.park()
  first.interrupt()
  await first.settled
  await expect.poll(async () => (await open().conversation('c'))?.held, { timeout: 60_000 }).toBe(false)
})

test('the handle that parked a turn goes on after it, once it was resumed', async () => {
  const mark = tool({ name: 'mark', needsApproval: true, run: () => 'marked' })
  const model = scriptedModel([{ calls: [{ name: 'mark', id: 'c1' }] }, 'Done', 'Next'])
  const agent = createAgent({ model, tools: [mark], store: memoryStore() })
  const chat = agent.conversation('c')
  const turn = chat.send('Go')
  for await (const { type } of turn) if (type === 'request.opened') turn.park()
  const resumed = agent.resume('c')
  for await (const event of resumed ?? [])
    if (event.type === 'request.opened') resumed?.answer(event.requestId, { decision: 'allow' })
  expect(await chat.send('And?')).toMatchObject({ status: 'completed', text: 'Next' })
  expect(chat.messages.map(({ content }) => content[0])).toMatchObject([
    { text: 'Go' },
    { type: 'call' },
    { type: 'result', status: 'ok' },
    { text: 'Done' },
    { text: 'And?' },
    { text: 'Next' },
  ])
})

test('what was said to a parked turn is heard where it is resumed, and not again by the next one', async () => {
  const mark = tool({ name: 'mark', needsApproval: true, run: () => 'marked' })
  const model = scriptedModel([{ calls: [{ name: 'mark', id: 'c1' }] }, 'Done', 'Next'])
  const agent = createAgent({ model, tools: [mark], store: memoryStore() })
  const chat = agent.conversation('c')
  const turn = chat.send('Go')
  for await (const { type } of turn)
    if (type === 'request.opened') {
      turn.interject('Mind the gap.')
      turn.park()
    }
  const resumed = agent.resume('c')
  for await (const event of resumed ?? [])
    if (event.type === 'request.opened') resumed?.answer(event.requestId, { decision: 'allow' })
  await chat.send('And?')
  const said = chat.messages.filter(message => message.role === 'user').map(message => textOf(message))
  expect(said).toEqual(['Go', 'Mind the gap.', 'And?'])
})
