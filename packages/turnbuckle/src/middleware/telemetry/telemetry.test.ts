import * as api from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { createAgent, type Directive, fail, middleware, skip, stop, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { critic } from '../critic.ts'
import { telemetry } from './telemetry.ts'

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
provider.register()
beforeEach(() => exporter.reset())
afterAll(() => provider.shutdown())

const look = tool({ name: 'look', run: () => 'found' })
const broken = tool({ name: 'broken', run: () => Promise.reject(new Error('no')) })
const usage = { inputTokens: 10, outputTokens: 5 }
const script = [
  { calls: [{ name: 'look', id: 'c1', args: { q: 1 } }], usage },
  { text: 'done', usage },
]

const spans = (): Record<string, ReadableSpan> =>
  Object.fromEntries(exporter.getFinishedSpans().map(span => [span.name, span]))
const names = () => exporter.getFinishedSpans().map(({ name }) => name)

async function run(options = {}, replies: Parameters<typeof scriptedModel>[0] = script) {
  const model = scriptedModel(replies, { id: 'anthropic/claude' })
  const agent = createAgent({
    model,
    name: 'helper',
    instructions: 'Be kind.',
    tools: [look, broken],
    use: [telemetry(options)],
  })
  const chat = agent.conversation()
  const result = await chat.send('hi').settled
  return { chat, result }
}

describe('telemetry', () => {
  test('a turn is invoke_agent, with chat and execute_tool in it', async () => {
    const { chat } = await run({ api })
    expect(names()).toEqual(['chat claude', 'execute_tool look', 'chat claude', 'invoke_agent helper'])
    const { 'invoke_agent helper': agent, 'execute_tool look': toolSpan, 'chat claude': chatSpan } = spans()
    expect(agent?.kind).toBe(api.SpanKind.INTERNAL)
    expect(agent?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'helper',
      'gen_ai.conversation.id': chat.id,
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 10,
      'turnbuckle.turn.status': 'completed',
    })
    expect(chatSpan?.kind).toBe(api.SpanKind.CLIENT)
    expect(chatSpan?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude',
      'gen_ai.request.stream': true,
      'gen_ai.conversation.id': chat.id,
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.response.finish_reasons': ['stop'],
    })
    expect(toolSpan?.kind).toBe(api.SpanKind.INTERNAL)
    expect(toolSpan?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': 'c1',
    })
    for (const child of [chatSpan, toolSpan]) {
      expect(child?.parentSpanContext?.spanId).toBe(agent?.spanContext().spanId)
      expect(child?.spanContext().traceId).toBe(agent?.spanContext().traceId)
    }
  })

  test('the package is imported when it is not given', async () => {
    await run()
    expect(names()).toContain('invoke_agent helper')
  })

  test.each([
    { content: false, has: false },
    { content: true, has: true },
  ])('what was said is there only on request: $content', async ({ content, has }) => {
    await run({ api, content })
    const { 'execute_tool look': toolSpan, 'chat claude': chatSpan } = spans()
    expect('gen_ai.tool.call.arguments' in (toolSpan?.attributes ?? {})).toBe(has)
    expect('gen_ai.input.messages' in (chatSpan?.attributes ?? {})).toBe(has)
    if (!has) return
    expect(toolSpan?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"q":1}',
      'gen_ai.tool.call.result': '"found"',
    })
    expect(JSON.parse(String(chatSpan?.attributes['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'hi' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look', arguments: { q: 1 } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'found' }] },
    ])
    expect(JSON.parse(String(chatSpan?.attributes['gen_ai.output.messages']))).toMatchObject([{ role: 'assistant' }])
  })

  test('errors mark their span', async () => {
    await run({ api }, [
      { calls: [{ name: 'broken' }] },
      { error: Object.assign(new Error('slow down'), { status: 429 }) },
    ])
    const { 'invoke_agent helper': agent, 'execute_tool broken': toolSpan, 'chat claude': chatSpan } = spans()
    expect(toolSpan).toMatchObject({
      status: { code: api.SpanStatusCode.ERROR, message: 'no' },
      attributes: { 'error.type': 'tool' },
    })
    expect(chatSpan).toMatchObject({
      status: { code: api.SpanStatusCode.ERROR },
      attributes: { 'error.type': 'rateLimit' },
    })
    expect(agent).toMatchObject({ status: { code: api.SpanStatusCode.ERROR, message: 'slow down' } })
  })

  test('each attempt of a retry is a span of its own', async () => {
    const twice = middleware({ name: 'twice', wrapModel: (_ctx, next) => next().catch(() => next()) })
    const model = scriptedModel([{ error: new Error('down') }, 'done'], { id: 'openai/gpt' })
    await createAgent({ model, use: [telemetry({ api }), twice] }).send('hi')
    expect(names()).toEqual(['chat gpt', 'chat gpt', 'invoke_agent agent'])
  })

  test.each<{ what: string; given: Directive<'stop' | 'fail' | 'skip'>; attributes: object; code: api.SpanStatusCode }>(
    [
      {
        what: 'stopped',
        given: stop('closed'),
        attributes: {
          'turnbuckle.turn.status': 'stopped',
          'turnbuckle.turn.by': 'door',
          'turnbuckle.turn.reason': 'closed',
        },
        code: api.SpanStatusCode.UNSET,
      },
      {
        what: 'failed',
        given: fail(new Error('no door')),
        attributes: { 'turnbuckle.turn.status': 'failed', 'error.type': 'unknown' },
        code: api.SpanStatusCode.ERROR,
      },
      {
        what: 'answered',
        given: skip('Not now.'),
        attributes: { 'turnbuckle.turn.status': 'completed' },
        code: api.SpanStatusCode.UNSET,
      },
    ],
  )('a turn that is $what before its loop begins has its span', async ({ given, attributes, code }) => {
    const door = middleware({ name: 'door', beforeTurn: () => given })
    await createAgent({ model: scriptedModel([]), use: [door, telemetry({ api })] }).send('hi').settled
    expect(names()).toEqual(['invoke_agent agent'])
    expect(spans()['invoke_agent agent']).toMatchObject({ attributes, status: { code } })
  })

  test("a hook's own model call names its model, and stands in its turn", async () => {
    const judge = scriptedModel(['ACCEPT'], { id: 'google/gemini' })
    await createAgent({
      model: scriptedModel(['done'], { id: 'openai/gpt' }),
      use: [telemetry({ api }), critic(judge)],
    }).send('hi')
    const { 'chat gemini': judged, 'invoke_agent agent': agent } = spans()
    expect(judged?.attributes).toMatchObject({ 'gen_ai.provider.name': 'gcp.gemini', 'gen_ai.request.model': 'gemini' })
    expect(judged?.parentSpanContext?.spanId).toBe(agent?.spanContext().spanId)
  })

  test('a span of a tool stands in that of its call', async () => {
    const traced = tool({
      name: 'traced',
      run: () => api.trace.getTracer('mine').startActiveSpan('query', span => span.end()),
    })
    const model = scriptedModel([{ calls: [{ name: 'traced' }] }, 'done'])
    await createAgent({ model, tools: [traced], use: [telemetry({ api })] }).send('hi')
    expect(spans().query?.parentSpanContext?.spanId).toBe(spans()['execute_tool traced']?.spanContext().spanId)
  })

  test('off, it has no hooks', () => {
    expect(telemetry({ enabled: false }).hooks).toEqual({})
  })

  test('a tracer that throws stops nothing', async () => {
    const trace = {
      getTracer: () => {
        throw new Error('no tracer')
      },
      setSpan: () => undefined,
    }
    const { result } = await run({ api: { trace, context: api.context } })
    expect(result).toMatchObject({ status: 'completed', text: 'done' })
  })
})
