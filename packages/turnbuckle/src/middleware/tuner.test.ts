import { createAgent, middleware, stop, tool } from 'turnbuckle'
import { stepLimit } from 'turnbuckle/middleware'
import { memoryStore, replayTrial } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { tuner } from './tuner.ts'
import { type Observation, type Proposal, type TriedProposal, tunerRules } from './tuner-rules.ts'

const turn = (more: Partial<Observation> = {}): Observation => ({
  conversationId: 'c',
  turnId: 't',
  status: 'completed',
  by: 'model',
  steps: 1,
  usage: { inputTokens: 1, outputTokens: 1 },
  ms: 1,
  tools: {},
  ...more,
})
const times = (count: number, more?: Partial<Observation>) => Array.from({ length: count }, () => turn(more))
const calls = (failures: number) => times(5, { tools: { shell: { calls: 2, failures } } })
const limited = { status: 'stopped', by: 'step-limit' } as const

describe('tunerRules', () => {
  test.each<{ name: string; seen: Observation[]; ids: string[] }>([
    { name: 'nothing to say', seen: times(10), ids: [] },
    { name: 'nothing seen', seen: [], ids: [] },
    { name: 'a limit that ends a fifth', seen: [...times(8), ...times(2, limited)], ids: ['stops:step-limit'] },
    { name: 'a limit that ends fewer', seen: [...times(9), ...times(1, limited)], ids: [] },
    { name: 'a tool that fails half the time', seen: calls(1), ids: ['tool:shell'] },
    { name: 'a tool that works', seen: calls(0), ids: [] },
    { name: 'too few calls to tell', seen: calls(2).slice(0, 4), ids: [] },
    { name: 'a tenth of turns fails', seen: [...times(9), ...times(1, { status: 'failed' })], ids: ['failures'] },
  ])('$name', ({ seen, ids }) => {
    expect(tunerRules.flatMap(rule => rule(seen) ?? []).map(({ id }) => id)).toEqual(ids)
  })
})

describe('tuner', () => {
  test.each([
    { name: 'in a step', limit: middleware({ name: 'limit', beforeStep: () => stop('enough') }) },
    { name: 'before the turn', limit: middleware({ name: 'limit', beforeTurn: () => stop('enough') }) },
  ])('it proposes once, and changes nothing: stopped $name', async ({ limit }) => {
    const proposals: Proposal[] = []
    const agent = createAgent({
      model: scriptedModel([]),
      use: [limit, tuner(proposal => proposals.push(proposal), { every: 2 })],
    })
    const before = agent.middleware
    for (let i = 0; i < 8; i++) await agent.send('hi')
    expect(proposals.map(({ reason }) => reason)).toEqual(['100 % of turns were stopped by limit.'])
    expect(agent.middleware).toEqual(before)
  })

  test('what was put right and comes back is told again', async () => {
    const ids: string[] = []
    const script = ['ok', { error: new Error('x') }, 'ok', 'ok', 'ok', { error: new Error('x') }]
    const agent = createAgent({
      model: scriptedModel(script),
      use: [tuner(({ id }) => ids.push(id), { every: 2, window: 2 })],
    })
    for (const _ of script) await agent.send('hi').settled
    expect(ids).toEqual(['failures', 'failures'])
  })

  test('own rules see the tools of each turn', async () => {
    const seen: Observation[] = []
    const model = scriptedModel([{ calls: [{ name: 'ok' }, { name: 'bad' }] }, 'done'])
    const tools = [tool({ name: 'ok', run: () => 1 }), tool({ name: 'bad', run: () => Promise.reject(new Error('x')) })]
    const rule = (all: readonly Observation[]) => void seen.push(...all)
    await createAgent({ model, tools, use: [tuner(() => {}, { every: 1, rules: [rule] })] }).send('hi')
    expect(seen).toMatchObject([
      { status: 'completed', steps: 2, tools: { ok: { calls: 1, failures: 0 }, bad: { calls: 1, failures: 1 } } },
    ])
  })

  test('a rule that throws harms nobody', async () => {
    const rule = () => {
      throw new Error('x')
    }
    const agent = createAgent({ model: scriptedModel(['done']), use: [tuner(() => {}, { every: 1, rules: [rule] })] })
    expect((await agent.send('hi')).status).toBe('completed')
  })
})

describe('with a store', () => {
  const limit = middleware({ name: 'limit', beforeStep: () => stop('enough') })
  const agentOf = (store: ReturnType<typeof memoryStore>, told: TriedProposal[], every = 4) =>
    createAgent({
      model: scriptedModel([]),
      use: [limit, tuner(proposal => told.push(proposal), { every, store })],
    })

  test('a restart forgets neither what was seen nor what was proposed', async () => {
    const store = memoryStore()
    const told: TriedProposal[] = []
    for (let i = 0; i < 8; i++) await agentOf(store, told).send('hi')
    expect(told.map(({ id }) => id)).toEqual(['stops:limit'])
    expect(await store.get('tuner', 'tuner')).toMatchObject({ count: 8, told: ['stops:limit'] })
  })

  test('turns that end at the same moment are all seen', async () => {
    const store = memoryStore()
    const agent = agentOf(store, [])
    await Promise.all(Array.from({ length: 7 }, () => agent.send('hi')))
    expect(await store.get('tuner', 'tuner')).toMatchObject({ count: 7 })
  })

  test('what is no knowledge of ours is not believed', async () => {
    const store = memoryStore()
    await store.set('tuner', 'tuner', { seen: 'all' })
    await agentOf(store, []).send('hi')
    expect(await store.get('tuner', 'tuner')).toMatchObject({ count: 1 })
  })
})

describe('a proposal', () => {
  const call = { calls: [{ name: 'look' }] }
  const look = tool({ name: 'look', run: () => 'x' })
  const last = { id: 'last', reason: 'Always.', change: 'None.' }
  /** The proposals before the last one of two turns that a limit has stopped, tried with a limit of so many steps. */
  async function proposed(allowed: number | undefined): Promise<readonly TriedProposal[]> {
    const store = memoryStore()
    const trial = replayTrial<Proposal>(store, ({ action }) =>
      action?.type === 'raise-limit' && allowed ? { use: [stepLimit(allowed)] } : undefined,
    )
    const told: TriedProposal[] = []
    const model = scriptedModel([call], { repeat: true })
    await new Promise<void>(resolve => {
      const take = (proposal: TriedProposal) => (proposal.id === last.id ? resolve() : told.push(proposal))
      const watch = tuner(take, { every: 2, store, trial, rules: [...tunerRules, () => last] })
      const agent = createAgent({ model, tools: [look], store, breaker: false, use: [stepLimit(1), watch] })
      const first = agent.conversation('c0').send('hi')
      void first.settled.then(() => agent.conversation('c1').send('hi'))
    })
    return told
  }

  test('is data: action, numbers, turns', async () => {
    expect(await proposed(3)).toMatchObject([
      {
        action: { type: 'raise-limit', middleware: 'step-limit' },
        measured: { share: 1, turns: 2 },
        turns: [{ conversationId: 'c0' }, { conversationId: 'c1' }],
      },
    ])
  })

  test('is tried by replay before it is offered', async () => {
    const trial = { verdict: 'tried', turns: 2, same: 0, different: 2, diverged: 0 }
    expect(await proposed(3)).toMatchObject([{ trial }])
  })

  test('that would have changed nothing is not offered', async () => {
    expect(await proposed(1)).toEqual([])
  })

  test('without middleware to try says so', async () => {
    const trial = { verdict: 'unknown', reason: 'There is no middleware to try for it.' }
    expect(await proposed(undefined)).toMatchObject([{ trial }])
  })

  test.each([
    { name: 'a tool that fails', seen: calls(1), reason: /not in the record/ },
    { name: 'turns that fail', seen: times(10, { status: 'failed' }), reason: /not in the record/ },
    { name: 'without a trial', seen: times(10, limited), reason: /No trial was given/ },
  ])('says why a replay cannot tell: $name', async ({ seen, reason }) => {
    const told: TriedProposal[] = []
    const rules = tunerRules.map(rule => () => rule(seen))
    const watch = tuner(proposal => told.push(proposal), { every: 1, rules })
    await createAgent({ model: scriptedModel(['ok']), use: [watch] }).send('hi')
    expect(told.map(({ trial }) => trial)).toEqual([{ verdict: 'unknown', reason: expect.stringMatching(reason) }])
  })
})
