import * as otel from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { type Chunk, createAgent, type Model, tool } from 'turnbuckle'
import { type TelemetryApi, type TelemetryTracer, telemetry } from 'turnbuckle/middleware'
import { sequentialIds, virtualClock } from 'turnbuckle/testing'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'

const spans = new InMemorySpanExporter()
const traces = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
afterAll(() => traces.shutdown())

let exporter: InMemoryMetricExporter
let provider: MeterProvider
beforeEach(() => {
  spans.reset()
  exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000_000 })
  provider = new MeterProvider({ readers: [reader] })
})
afterEach(() => provider.shutdown())

/** The API with providers of this file: global ones would be those of other tests too. */
const trace: TelemetryApi['trace'] = {
  getTracer: name => traces.getTracer(name) as unknown as TelemetryTracer,
  setSpan: (context, span) => otel.trace.setSpan(context as otel.Context, span as otel.Span),
}
const context = otel.context as unknown as TelemetryApi['context']
const metrics: NonNullable<TelemetryApi['metrics']> = { getMeter: name => provider.getMeter(name) }

/** The figures so far: name, unit, labels, and the sum or count. */
async function figures() {
  await provider.forceFlush()
  const metrics =
    exporter
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap(scope => scope.metrics) ?? []
  return metrics.flatMap(({ descriptor: { name, unit }, dataPoints }) =>
    dataPoints.map(({ attributes, value }) => ({ name, unit, attributes, value: value as Value })),
  )
}
type Value = number | { sum: number; count: number; buckets: { boundaries: number[] } }

const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 80, reasoningTokens: 5 }
const finish: Chunk = { type: 'finish', reason: 'stop', response: { id: 'msg_1', model: 'claude-2026-10-01' } }

/** A model that takes 300 ms to its first chunk and 200 more to its end. */
function slowModel(replies: Chunk[][]): { model: Model; clock: ReturnType<typeof virtualClock> } {
  const clock = virtualClock()
  const model: Model = {
    id: 'anthropic/claude',
    async *stream() {
      await clock.advance(300)
      const [first, ...rest] = replies.shift() ?? []
      if (!first) throw Object.assign(new Error('busy'), { status: 429 })
      yield first
      await clock.advance(200)
      yield rest
    },
  }
  return { model, clock }
}

const look = tool({ name: 'look', run: () => 'found' })

async function play(replies: Chunk[][]) {
  const { model, clock } = slowModel(replies)
  const agent = createAgent({
    model,
    clock,
    ids: sequentialIds(),
    name: 'helper',
    tools: [look],
    use: [telemetry({ api: { trace, context, metrics } })],
  })
  await agent.send('hi').settled
}

const labels = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'anthropic',
  'gen_ai.request.model': 'claude',
  'gen_ai.response.model': 'claude-2026-10-01',
}

test('a model call has a duration, the time to its first chunk, and its tokens', async () => {
  await play([[{ type: 'text', text: 'Hello.' }, { type: 'usage', ...usage }, finish]])
  const all = await figures()
  const named = (name: string) => all.filter(one => one.name === name)
  expect(named('gen_ai.client.inference.duration')).toMatchObject([
    { unit: 's', attributes: labels, value: { sum: 0.5 } },
  ])
  expect(named('gen_ai.client.inference.time_to_first_chunk')).toMatchObject([
    { unit: 's', attributes: labels, value: { sum: 0.3 } },
  ])
  for (const [name, count] of Object.entries({ input_tokens: 100, output_tokens: 20 }))
    expect(named(`gen_ai.client.inference.operation.${name}`)).toMatchObject([
      { unit: '{token}', attributes: labels, value: { sum: count, count: 1 } },
    ])
  const counters = all.filter(({ name }) => name.startsWith('gen_ai.client.inference.usage.'))
  expect(Object.fromEntries(counters.map(({ name, value }) => [name.slice(30), value]))).toEqual({
    input_tokens: 100,
    output_tokens: 20,
    'cache_read.input_tokens': 80,
    'reasoning.output_tokens': 5,
  })
  expect(counters[0]).toMatchObject({ unit: '{token}', attributes: { ...labels, 'gen_ai.token.modality': 'unknown' } })
})

test('bounds are those of the conventions', async () => {
  await play([[{ type: 'text', text: 'Hello.' }, { type: 'usage', ...usage }, finish]])
  const all = await figures()
  const bounds = (name: string) => {
    const value = all.find(one => one.name === name)?.value
    return typeof value === 'object' ? value.buckets.boundaries.slice(0, 3) : []
  }
  expect(bounds('gen_ai.client.inference.duration')).toEqual([0.01, 0.02, 0.04])
  expect(bounds('gen_ai.client.inference.operation.input_tokens')).toEqual([1, 4, 16])
})

test('no metric has a name that the conventions have given up', async () => {
  await play([[{ type: 'text', text: 'Hello.' }, { type: 'usage', ...usage }, finish]])
  const names = new Set((await figures()).map(({ name }) => name))
  expect([...names].filter(name => /^gen_ai\.client\.(operation|token)\./.test(name))).toEqual([])
})

test('turns and tools have durations; a failure names its kind', async () => {
  await play([[{ type: 'call', id: 'c', name: 'look', args: {} }]])
  const all = await figures()
  expect(all.find(({ name }) => name === 'gen_ai.execute_tool.duration')).toMatchObject({
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look' },
  })
  expect(all.find(({ name }) => name === 'gen_ai.invoke_agent.duration')?.attributes).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'helper',
    'error.type': 'rateLimit',
  })
  const calls = all.filter(({ name }) => name === 'gen_ai.client.inference.duration')
  expect(calls.map(({ attributes }) => attributes['error.type'])).toEqual([undefined, 'rateLimit'])
})

test('a span has the provider’s names of model and reply, cached tokens, and the time to its first chunk', async () => {
  await play([[{ type: 'text', text: 'Hello.' }, { type: 'usage', ...usage }, finish]])
  const chat = spans.getFinishedSpans().find(({ name }) => name === 'chat claude')
  expect(chat?.attributes).toMatchObject({
    'gen_ai.request.stream': true,
    'gen_ai.response.id': 'msg_1',
    'gen_ai.response.model': 'claude-2026-10-01',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.response.time_to_first_chunk': 0.3,
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.cache_read.input_tokens': 80,
    'gen_ai.usage.reasoning.output_tokens': 5,
  })
})

test('without metrics in the API only spans are told', async () => {
  const { model, clock } = slowModel([[{ type: 'text', text: 'Hello.' }, finish]])
  const agent = createAgent({ model, clock, use: [telemetry({ api: { trace, context } })] })
  expect((await agent.send('hi')).status).toBe('completed')
  expect(spans.getFinishedSpans()).toHaveLength(2)
  expect(await figures()).toEqual([])
})
