import { block, createAgent, middleware, stop, tool } from 'turnbuckle'
import { memoryStore, replay } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

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
