import type { Usage } from '../../core/base/ports.ts'
import type { Value } from './telemetry-attributes.ts'

/** The members of an OpenTelemetry meter that are used. */
export interface TelemetryMeter {
  /** Makes a histogram. */
  createHistogram(name: string, options: InstrumentOptions): { record(value: number, attributes: Labels): void }
  /** Makes a counter. */
  createCounter(name: string, options: InstrumentOptions): { add(value: number, attributes: Labels): void }
}
interface InstrumentOptions {
  readonly unit: string
  readonly description: string
  readonly advice?: { readonly explicitBucketBoundaries: number[] }
}
export type Labels = Record<string, Value>

/** The bounds that the conventions ask for, in seconds and in tokens. */
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const firstSeconds = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]

/** Token counters of the conventions, by the member of `Usage` that each is. */
const counters = {
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  cachedInputTokens: 'cache_read.input_tokens',
  reasoningTokens: 'reasoning.output_tokens',
} as const satisfies Partial<Record<keyof Usage, string>>

/** The instruments of the GenAI conventions. Times are given in milliseconds, and recorded in seconds. */
export class Meters {
  readonly #meter: TelemetryMeter
  readonly #durations = new Map<string, ReturnType<TelemetryMeter['createHistogram']>>()
  readonly #first: ReturnType<TelemetryMeter['createHistogram']>
  readonly #inputTokens: ReturnType<TelemetryMeter['createHistogram']>
  readonly #outputTokens: ReturnType<TelemetryMeter['createHistogram']>
  readonly #counters: ReadonlyMap<keyof typeof counters, ReturnType<TelemetryMeter['createCounter']>>

  constructor(meter: TelemetryMeter) {
    this.#meter = meter
    this.#first = meter.createHistogram('gen_ai.client.inference.time_to_first_chunk', {
      unit: 's',
      description: 'Time from a model call to its first chunk.',
      advice: { explicitBucketBoundaries: firstSeconds },
    })
    const ofCall = (name: string) =>
      meter.createHistogram(`gen_ai.client.inference.operation.${name}`, {
        unit: '{token}',
        description: 'Tokens of a model call.',
        advice: { explicitBucketBoundaries: tokens },
      })
    this.#inputTokens = ofCall('input_tokens')
    this.#outputTokens = ofCall('output_tokens')
    this.#counters = new Map(
      Object.entries(counters).map(([member, name]) => [
        member as keyof typeof counters,
        meter.createCounter(`gen_ai.client.inference.usage.${name}`, { unit: '{token}', description: 'Tokens used.' }),
      ]),
    )
  }

  /** `name`: the instrument, `gen_ai.client.inference.duration`. */
  duration(name: string, ms: number, labels: Labels): void {
    let histogram = this.#durations.get(name)
    if (!histogram) {
      const advice = { explicitBucketBoundaries: seconds }
      histogram = this.#meter.createHistogram(name, { unit: 's', description: 'Duration of the operation.', advice })
      this.#durations.set(name, histogram)
    }
    histogram.record(ms / 1000, labels)
  }

  firstChunk(ms: number, labels: Labels): void {
    this.#first.record(ms / 1000, labels)
  }

  /** Estimates are not counted: only what the provider has told. */
  used(usage: Usage, labels: Labels): void {
    if (usage.estimated) return
    this.#inputTokens.record(usage.inputTokens, labels)
    this.#outputTokens.record(usage.outputTokens, labels)
    const counted = { ...labels, 'gen_ai.token.modality': 'unknown' }
    for (const [member, counter] of this.#counters) {
      const count = usage[member]
      if (count !== undefined) counter.add(count, counted)
    }
  }
}
