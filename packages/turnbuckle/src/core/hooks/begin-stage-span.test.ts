import { createAgent, debugPipeline, middleware, performancePipeline, type Span, skip, tool } from 'turnbuckle'
import { recorder, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look' }] }, 'Done'], { repeat: true })

describe('ready variants', () => {
  test('a log that throws is reported, and the turn goes on', async () => {
    const broken = debugPipeline(() => {
      throw new Error('disk full')
    })
    const turn = createAgent({ model: scriptedModel(['Hi.']), pipeline: broken }).send('Go.')
    const failures: string[] = []
    for await (const event of turn) if (event.type === 'hook.failed') failures.push(event.error)
    expect((await turn).text).toBe('Hi.')
    expect(new Set(failures)).toEqual(new Set(['disk full']))
  })

  test('debug tells every stage and hook: its time, what it returned and changed', async () => {
    const clock = virtualClock()
    const spans: Span[] = []
    const slow = middleware({
      name: 'slow',
      state: 0,
      async beforeTool(ctx) {
        await ctx.clock.sleep(30)
        ctx.update(n => n + 1)
        return skip('cached')
      },
    })
    const agent = createAgent({
      model: looks(),
      tools: [look],
      use: [slow],
      clock,
      pipeline: debugPipeline(span => spans.push(span)),
      breaker: false,
    })
    const turn = agent.send('Go')
    await clock.advance(30)
    await turn
    expect(spans.find(({ kind }) => kind === 'hook')).toMatchObject({
      at: 'beforeTool',
      by: 'slow',
      stage: 'tool',
      durationMs: 30,
      directive: 'skip',
      callId: 'call_1_1',
      changed: [{ what: 'state', before: 0, after: 1 }],
    })
    const stages = spans
      .filter(({ kind }) => kind === 'stage')
      .map(({ stage: name, status, depth }) => `${name} ${status} ${depth}`)
    expect(stages).toContain('tool skipped 3')
    expect(stages.at(-1)).toBe('turn done 0')
    expect(stages).toHaveLength(1 + 1 + 2 + 2 + 2 + 4 + 1 + 1 + 2)
  })

  test('performance runs no hook at all', async () => {
    const record = recorder({ on: ['onChunk', 'onError'] })
    const agent = createAgent({ model: looks(), tools: [look], use: [record], pipeline: performancePipeline() })
    expect((await agent.send('Go')).text).toBe('Done')
    expect(record.calls).toEqual([])
  })

  test('onTrace hears the same spans in any pipeline; its failure is only reported', async () => {
    const spans: string[] = []
    const tracer = middleware({
      name: 'tracer',
      onTrace(span) {
        spans.push(span.stage)
        if (span.stage === 'decide') throw new Error('full disk')
      },
    })
    const turn = createAgent({ model: scriptedModel(['Hi']), use: [tracer] }).send('Go')
    expect((await turn).status).toBe('completed')
    expect(spans).toEqual(['input', 'append', 'model', 'detect', 'append', 'decide', 'step', 'turn'])
  })

  test('onOpen hears every stage and hook begin, under the id and parent that its end repeats', async () => {
    const told: string[] = []
    const names = new Map<number | undefined, string>()
    const tracer = middleware({
      name: 'tracer',
      onOpen({ id, parentId, stage, at = stage }) {
        names.set(id, at)
        told.push(`${names.get(parentId) ?? ''}>${at}`)
      },
      onTrace: ({ id, parentId }) => void told.push(`${names.get(parentId) ?? ''}<${names.get(id)}`),
    })
    const hook = middleware({ name: 'hook', beforeTool: () => {} })
    await createAgent({ model: looks(), tools: [look], use: [hook, tracer], breaker: false }).send('Go')
    expect(told.slice(0, 4)).toEqual(['>turn', 'turn>input', 'turn<input', 'turn>append'])
    expect(told.filter(line => /tool|Tool/.test(line))).toEqual([
      'step>tools',
      'tools>tool',
      'tool>beforeTool',
      'tool<beforeTool',
      'tools<tool',
      'step<tools',
    ])
    expect(told.at(-1)).toBe('<turn')
    expect(told.filter(line => line.includes('>')).length * 2).toBe(told.length)
  })
})

test('every change of a hook is told: members of the prompt, instructions, and edits of the history', async () => {
  const spans: Span[] = []
  const changes = middleware({
    name: 'changes',
    beforeStep: ctx => ctx.instruct('Be kind.'),
    beforeModel(ctx) {
      ctx.prompt.instructions = 'Be brief.'
    },
    afterModel(ctx) {
      const [first] = ctx.messages
      if (first) ctx.messages.replace(first.id, { role: 'user', content: [{ type: 'text', text: 'Stay.' }] })
    },
  })
  const idle = middleware({ name: 'idle', beforeModel: ctx => void ctx.prompt.messages.length })
  const agent = createAgent({
    model: scriptedModel(['Hi.']),
    use: [changes, idle],
    pipeline: debugPipeline(span => spans.push(span)),
  })
  await agent.send('Go')
  const told = spans.flatMap(({ by, at, changed = [] }) => changed.map(({ what }) => `${by} ${at} ${what}`))
  expect(told).toEqual(['changes beforeStep instructions', 'changes beforeModel input', 'changes afterModel messages'])
  const prompt = spans.find(({ at, by }) => at === 'beforeModel' && by === 'changes')?.changed?.[0]
  expect([prompt?.before, prompt?.after]).toMatchObject([{ instructions: 'Be kind.' }, { instructions: 'Be brief.' }])
  const sent = spans.find(({ stage, kind }) => stage === 'model' && kind === 'stage')?.exchanges
  expect(sent).toMatchObject([{ model: 'scripted', sent: { instructions: 'Be brief.' } }])
})

test('a hook that an interrupt of the turn ends is interrupted, as its stage is', async () => {
  const clock = virtualClock()
  const spans: Span[] = []
  const around = middleware({ name: 'around', wrapModel: (_, next) => next() })
  const model = scriptedModel([{ text: 'never said', delayMs: 50 }], { clock })
  const pipeline = debugPipeline(span => spans.push(span))
  const turn = createAgent({ model, clock, use: [around], pipeline }).send('Go')
  await clock.advance(10)
  turn.interrupt()
  await clock.advance(100)
  await turn
  expect(spans.find(({ at }) => at === 'wrapModel')?.status).toBe('interrupted')
})
