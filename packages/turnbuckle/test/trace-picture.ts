import * as api from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { agentTool, type Chunk, createAgent, type Model, tool } from 'turnbuckle'
import { telemetry } from 'turnbuckle/middleware'

const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** A model that takes its time, as providers do. */
function slow(id: string, replies: readonly (readonly Chunk[])[]): Model {
  let next = 0
  return {
    id,
    async *stream() {
      await wait(120)
      for (const chunk of replies[next++] ?? []) {
        yield chunk
        await wait(60)
      }
    },
  }
}

const call = (id: string, name: string, args: object): Chunk => ({ type: 'call', id, name, args })
const end = (inputTokens: number, outputTokens: number, cachedInputTokens = 0): readonly Chunk[] => [
  { type: 'usage', inputTokens, outputTokens, cachedInputTokens },
  { type: 'finish', reason: 'stop', response: { id: `msg_${inputTokens}`, model: 'claude-sonnet-5-5-20260901' } },
]

/** Plays a turn with two tools side by side and a sub-agent, and gives the spans that the SDK has exported. */
export async function playTrace(): Promise<readonly ReadableSpan[]> {
  const exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  provider.register()
  const use = [telemetry({ api })]
  const name = 'anthropic/claude-sonnet-5-5'
  const read = tool({ name: 'read_file', run: () => wait(80).then(() => 'text') })
  const tests = tool({ name: 'shell', run: () => wait(260).then(() => 'ok') })
  const child = createAgent({
    name: 'reviewer',
    use,
    tools: [read],
    model: slow(name, [
      [call('r1', 'read_file', {}), ...end(900, 40)],
      [{ type: 'text', text: 'Fine.' }, ...end(1100, 12, 900)],
    ]),
  })
  const model = slow(name, [
    [call('c1', 'read_file', {}), call('c2', 'shell', {}), ...end(1200, 85)],
    [call('c3', 'review', { task: 'Look at it.' }), ...end(1500, 30, 1200)],
    [{ type: 'text', text: 'Done, and reviewed.' }, ...end(1700, 20, 1500)],
  ])
  const agent = createAgent({ name: 'coder', model, use, tools: [read, tests, agentTool(child, { name: 'review' })] })
  await agent.send('Mend the parser.')
  const spans = exporter.getFinishedSpans()
  await provider.shutdown()
  return spans
}

const ms = ([seconds, nanos]: readonly [number, number]): number => seconds * 1000 + nanos / 1e6
const escaped = (text: string): string => text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`)

/** Spans in the order they began, children below their parents. */
function ordered(spans: readonly ReadableSpan[]): readonly { readonly span: ReadableSpan; readonly depth: number }[] {
  const below = (parent: string | undefined, depth: number): { span: ReadableSpan; depth: number }[] =>
    spans
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
      .toSorted((a, b) => ms(a.startTime) - ms(b.startTime))
      .flatMap(span => [{ span, depth }, ...below(span.spanContext().spanId, depth + 1)])
  return below(undefined, 0)
}

/** The trace as events of Chrome's format, for viewers that read it. A span that runs beside another of its parent has a track of its own. */
export function traceEvents(spans: readonly ReadableSpan[]): object {
  const began = Math.min(...spans.map(({ startTime }) => ms(startTime)))
  const tracks = new Map<string, number>()
  const ends = new Map<string, number>()
  let last = 1
  const traceEvents = ordered(spans).map(({ span }) => {
    const { startTime, endTime, parentSpanContext } = span
    const parent = parentSpanContext?.spanId ?? ''
    const isBeside = (ends.get(parent) ?? 0) > ms(startTime)
    const tid = isBeside ? ++last : (tracks.get(parent) ?? 1)
    tracks.set(span.spanContext().spanId, tid)
    if (!isBeside) ends.set(parent, ms(endTime))
    const [ts, dur] = [(ms(startTime) - began) * 1000, (ms(endTime) - ms(startTime)) * 1000]
    const name = [span.name, figures(span)].filter(Boolean).join(' · ')
    return { name, ph: 'X', ts, dur, pid: 1, tid }
  })
  return { traceEvents }
}

const colours: Readonly<Record<string, string>> = { invoke_agent: '#3b6ea8', chat: '#b7652b', execute_tool: '#4c8a52' }

/** The figures that a row shows beside its bar. */
function figures({ attributes }: ReadableSpan): string {
  const input = attributes['gen_ai.usage.input_tokens']
  const cached = attributes['gen_ai.usage.cache_read.input_tokens']
  const first = attributes['gen_ai.response.time_to_first_chunk']
  return [
    ...(input === undefined ? [] : [`${input} → ${attributes['gen_ai.usage.output_tokens']} tokens`]),
    ...(cached ? [`${cached} cached`] : []),
    ...(first === undefined ? [] : [`first chunk ${Math.round(Number(first) * 1000)} ms`]),
  ].join(' · ')
}

/** The trace as a picture: a row for each span, its bar in the time of the turn. */
export function tracePicture(spans: readonly ReadableSpan[]): string {
  const rows = ordered(spans)
  const began = Math.min(...rows.map(({ span }) => ms(span.startTime)))
  const whole = Math.max(...rows.map(({ span }) => ms(span.endTime))) - began
  const [width, left, line] = [980, 300, 34]
  const scale = (width - left - 20) / whole
  const bars = rows.map(({ span, depth }, i) => {
    const y = 46 + i * line
    const x = left + (ms(span.startTime) - began) * scale
    const took = ms(span.endTime) - ms(span.startTime)
    const colour = colours[String(span.attributes['gen_ai.operation.name'])] ?? '#777'
    const note = [`${Math.round(took)} ms`, figures(span)].filter(Boolean).join(' · ')
    const isLate = x > left + (width - left) * 0.6
    const place = isLate ? `x="${(x + took * scale).toFixed(1)}" text-anchor="end"` : `x="${x.toFixed(1)}"`
    return [
      `<text x="${14 + depth * 16}" y="${y + 11}" class="name">${escaped(span.name)}</text>`,
      `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(2, took * scale).toFixed(1)}" height="12" rx="2" fill="${colour}"/>`,
      `<text ${place} y="${y + 24}" class="note">${escaped(note)}</text>`,
    ].join('\n')
  })
  const height = 60 + rows.length * line
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" role="img" aria-label="The spans of a turn">
<style>.name{font-size:13px;fill:#222}.note{font-size:11px;fill:#666}.head{font-size:12px;fill:#666}</style>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="14" y="26" class="head">One turn, ${rows.length} spans, ${Math.round(whole)} ms</text>
<line x1="${left - 8}" y1="36" x2="${left - 8}" y2="${height - 10}" stroke="#ddd"/>
${bars.join('\n')}
</svg>
`
}
