import { createAgent, middleware, stop, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type Observation, type Proposal, tuner, tunerRules } from './tuner.ts'

const turn = (more: Partial<Observation> = {}): Observation => ({
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
