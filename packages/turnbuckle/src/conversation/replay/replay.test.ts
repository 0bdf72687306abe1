import { block, createAgent, middleware, rewind, stop, tool } from 'turnbuckle'
import { memoryStore, replay } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const careful = middleware({
  name: 'careful',
  beforeTool: ctx => ((ctx.call.args as { line: string }).line === 'b' ? block('not b') : undefined),
})

async function recorded() {
  const store = memoryStore()
  let runs = 0
  const note = tool<{ line: string }>({
    name: 'note',
    run({ line }) {
      runs++
      if (line === 'c') throw new Error('no c')
      return `noted ${line}`
    },
  })
  const calls = (...lines: string[]) => ({ calls: lines.map(line => ({ name: 'note', args: { line }, id: line })) })
  const model = scriptedModel(['Hi.', { text: 'See.', ...calls('a', 'b') }, calls('c'), 'Done.'])
  const agent = createAgent({ model, tools: [note], store, use: [careful], breaker: false })
  const chat = agent.conversation('c')
  await chat.send('Hello.')
  const turn = chat.send('Go.')
  await turn
  return { store, id: turn.id, runs: () => runs }
}

test('the same middleware decides the same, and nothing is really called', async () => {
  const { store, id, runs } = await recorded()
  const before = runs()
  const replayed = await replay(store, id, { use: [careful] })
  expect(replayed).toMatchObject({ outcome: 'same', differences: [], divergence: undefined })
  expect(replayed.result).toMatchObject({ status: 'completed', text: 'Done.', steps: 3 })
  expect(runs()).toBe(before)
  expect((await store.turns({})).length).toBe(2)
})

test('another decision is named: which, by whom, where', async () => {
  const { store, id } = await recorded()
  const strict = middleware({ name: 'strict', beforeStep: ctx => (ctx.step === 2 ? stop('two steps') : undefined) })
  const replayed = await replay(store, id, { use: [careful, strict] })
  expect(replayed.outcome).toBe('different')
  expect(replayed.differences).toMatchObject([
    { when: 'now', directive: 'stop', by: 'strict', at: 'beforeStep', step: 2 },
  ])
  expect(replayed.result).toMatchObject({ status: 'stopped', reason: 'two steps' })
})

test('a guard that is missing now is a different decision, and the call it had stopped is not run', async () => {
  const { store, id, runs } = await recorded()
  const before = runs()
  const replayed = await replay(store, id, { use: [] })
  expect(replayed.differences).toMatchObject([{ when: 'then', directive: 'block', by: 'careful', callId: 'b' }])
  expect(replayed.divergence).toEqual({ at: 'call', where: 'note (b)', reason: 'then the call was not run' })
  expect(runs()).toBe(before)
})

test('a changed prompt diverges where the record stops to apply', async () => {
  const { store, id } = await recorded()
  const edit = middleware({
    name: 'edit',
    beforeModel(ctx) {
      if (ctx.step === 1) ctx.prompt.messages = ctx.prompt.messages.slice(1)
    },
  })
  const { outcome, divergence } = await replay(store, id, { use: [careful, edit] })
  expect(outcome).toBe('diverged')
  expect(divergence).toMatchObject({ at: 'prompt', where: 'model call 1' })
})

test('a turn that is not there is refused', async () => {
  await expect(replay(memoryStore(), 'nobody', { use: [] })).rejects.toMatchObject({ code: 'turn.missing' })
})

describe('of a conversation, as it is held', () => {
  const short = middleware({
    name: 'short',
    beforeModel(ctx) {
      ctx.prompt.messages = ctx.prompt.messages.slice(-1)
    },
  })
  const told = (word: string) => middleware({ name: 'told', beforeModel: ctx => ctx.instruct(word) })
  const bold = (temperature: number) =>
    middleware({
      name: 'bold',
      beforeModel(ctx) {
        ctx.prompt.params = { temperature }
      },
    })
  const back = middleware({
    name: 'back',
    state: { done: false },
    afterDecide(ctx) {
      if (ctx.goesOn || ctx.state.done) return
      ctx.update(() => ({ done: true }))
      return rewind(0, 'Once more.')
    },
  })
  const edits = (content: string) =>
    middleware({
      name: 'edits',
      beforeStep(ctx) {
        const last = ctx.messages.at(-1)
        if (ctx.step === 0 && last) ctx.messages.replace(last.id, { role: 'user', content })
      },
    })

  test.each([
    { what: 'nothing', had: [], now: [], outcome: 'same' },
    { what: 'the same shortening', had: [short], now: [short], outcome: 'same' },
    { what: 'a new shortening', had: [], now: [short], outcome: 'diverged', where: 'model call 0' },
    { what: 'no shortening any more', had: [short], now: [], outcome: 'diverged', where: 'model call 0' },
    { what: 'the same instruction', had: [told('Be kind.')], now: [told('Be kind.')], outcome: 'same' },
    { what: 'another instruction', had: [told('Be kind.')], now: [told('Be brief.')], outcome: 'diverged' },
    { what: 'the same parameters', had: [bold(1)], now: [bold(1)], outcome: 'same' },
    { what: 'other parameters', had: [bold(1)], now: [bold(0)], outcome: 'diverged' },
    { what: 'the same rewind', had: [back], now: [back], outcome: 'same' },
    { what: 'no rewind any more', had: [back], now: [], outcome: 'different' },
    { what: 'the same edit', had: [edits('Well.')], now: [edits('Well.')], outcome: 'same' },
    { what: 'another edit', had: [edits('Well.')], now: [edits('Ill.')], outcome: 'diverged' },
  ])('with $what it is $outcome', async ({ had, now, outcome, where }) => {
    const replies = ['Hi.', { calls: [{ name: 'note', args: { line: 'x' } }] }, 'Done.', 'Done again.']
    const note = tool<{ line: string }>({ name: 'note', run: ({ line }) => line })
    const agent = createAgent({
      model: scriptedModel(replies, { repeat: true }),
      tools: [note],
      store: memoryStore(),
      use: had,
      instructions: 'The agent has its own.',
    })
    const chat = agent.conversation()
    await chat.send('Hello.')
    const turn = chat.send('Go.')
    await turn
    const replayed = await replay(chat, turn, { use: now })
    expect(replayed).toMatchObject({ outcome, ...(where ? { divergence: { at: 'prompt', where } } : {}) })
    expect(await replay(chat, turn.id, { use: now })).toMatchObject({ outcome })
  })

  test('the same turn id in another conversation is another turn', async () => {
    const store = memoryStore()
    const agent = () =>
      createAgent({ model: scriptedModel(['Hi.']), store, ids: { next: kind => `${kind}_1` }, use: [] })
    const stops = middleware({ name: 'stops', beforeStep: () => stop('no') })
    await agent().conversation('a').send('Hello.')
    const chat = agent().conversation('b')
    await chat.send({ role: 'user', content: 'Other words.' })
    const { result } = await replay(chat, 'turn_1', { use: [stops] })
    expect(result.messages[0]?.content).toEqual([{ type: 'text', text: 'Other words.' }])
  })

  test('without a store there is no record', async () => {
    const chat = createAgent({ model: scriptedModel(['Hi.']) }).conversation()
    const turn = chat.send('Hello.')
    await turn
    await expect(replay(chat, turn, { use: [] })).rejects.toMatchObject({ code: 'replay.store' })
  })
})
