import { block, createAgent, middleware, type Span, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { createTimeline, type TimelineOptions, trace } from './trace.ts'

const look = tool({ name: 'look', run: () => 'x' })
const deny = middleware({ name: 'deny', beforeTool: () => block('not today') })
const short = middleware({
  name: 'short',
  beforeModel(ctx) {
    ctx.prompt = { ...ctx.prompt, instructions: 'Short.' }
  },
})

async function run(options: TimelineOptions = {}, times = 1) {
  const timeline = createTimeline(options)
  const live: Span[] = []
  timeline.subscribe(span => live.push(span))
  const model = scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'done'], { repeat: true })
  const agent = createAgent({ model, tools: [look], use: [deny, short, trace(timeline)] })
  const ids = []
  for (let i = 0; i < times; i++) {
    const turn = agent.send('hi')
    ids.push(turn.id)
    await turn
  }
  return { timeline, live, ids, spans: timeline.of(ids[0] ?? '') }
}

describe('trace', () => {
  test('how long a person was waited for is told apart, of the hook that asked and of the stages around it', async () => {
    const timeline = createTimeline()
    const clock = virtualClock()
    const asks = middleware({
      name: 'asks',
      async beforeTool(ctx) {
        await ctx.clock.sleep(20)
        await ctx.ask('permission', ctx.call)
      },
    })
    const model = scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'done'])
    const turn = createAgent({ model, tools: [look], clock, use: [asks, trace(timeline)] }).send('hi')
    for await (const event of turn) {
      if (event.type === 'tool.pending') void Promise.resolve().then(() => clock.advance(20))
      if (event.type !== 'request.opened') continue
      await clock.advance(60_000)
      turn.answer(event.requestId, { decision: 'allow' })
    }
    const spans = timeline.of(turn.id)
    const waited = { durationMs: 60_020, waitedMs: 60_000 }
    expect(spans.find(({ by }) => by === 'asks')).toMatchObject(waited)
    expect(spans.find(({ stage, kind }) => stage === 'tool' && kind === 'stage')).toMatchObject(waited)
    expect(spans.filter(({ stage }) => stage === 'model').every(span => !('waitedMs' in span))).toBe(true)
  })

  test('each stage and hook is there, with what it did', async () => {
    const { spans, live } = await run()
    expect(spans[0]).toMatchObject({ kind: 'stage', stage: 'turn', depth: 0, status: 'done' })
    expect(spans.filter(({ kind, stage }) => kind === 'stage' && stage === 'model')).toHaveLength(2)
    expect(spans.find(({ by }) => by === 'deny')).toMatchObject({
      at: 'beforeTool',
      callId: 'c1',
      directive: 'block',
      reason: 'not today',
    })
    expect(spans.find(({ by }) => by === 'short')?.changed).toEqual([
      { what: 'input', before: undefined, after: undefined },
    ])
    expect(live).toHaveLength(spans.length)
  })

  test('it reads from top to bottom, also when all of it takes no time', async () => {
    const timeline = createTimeline()
    const calls = [
      { name: 'look', id: 'c1' },
      { name: 'look', id: 'c2' },
    ]
    const watch = middleware({ name: 'watch', beforeTool: async () => {}, afterModel: () => {} })
    const model = scriptedModel([{ calls }, 'done'])
    const turn = createAgent({
      model,
      breaker: false,
      clock: virtualClock(),
      tools: [look],
      use: [watch, trace(timeline)],
    }).send('hi')
    await turn
    const name = ({ at, stage, callId }: Span) => (callId ? `${at ?? stage} ${callId}` : (at ?? stage))
    const step = ['model', 'afterModel', 'detect', 'append']
    expect(timeline.of(turn.id).map(name)).toEqual([
      'turn',
      'input',
      'append',
      'step',
      ...step,
      'tools',
      'tool c1',
      'beforeTool c1',
      'tool c2',
      'beforeTool c2',
      'append',
      'append',
      'decide',
      'step',
      ...step,
      'decide',
    ])
  })

  test.each<{ name: string; options: TimelineOptions; turns: number; kept: number; most: number }>([
    { name: 'all of a few turns', options: {}, turns: 3, kept: 3, most: Number.POSITIVE_INFINITY },
    { name: 'the newest turns', options: { turns: 2 }, turns: 3, kept: 2, most: Number.POSITIVE_INFINITY },
    { name: 'so many spans of a turn', options: { spans: 4 }, turns: 1, kept: 1, most: 4 },
  ])('what is kept is bounded: $name', async ({ options, turns, kept, most }) => {
    const { timeline, ids } = await run(options, turns)
    expect(timeline.turns).toEqual(ids.slice(-kept))
    for (const id of timeline.turns) expect(timeline.of(id).length).toBeLessThanOrEqual(most)
  })

  test('what a hook changed is kept on request', async () => {
    const { spans } = await run({ values: true })
    const [change] = spans.find(({ by }) => by === 'short')?.changed ?? []
    expect(change).toMatchObject({ before: { instructions: '' }, after: { instructions: 'Short.' } })
  })
})
