import type { ProviderModel } from 'turnbuckle/ai-sdk'

interface SentMessage {
  readonly role: string
  readonly content: unknown
  readonly providerOptions?: unknown
}

interface Sent {
  readonly prompt: readonly SentMessage[]
  readonly abortSignal: AbortSignal
  readonly [option: string]: unknown
}

export interface FakeProvider extends ProviderModel {
  /** What it was called with. */
  readonly sent: readonly Sent[]
  /** How many of its streams were given back early. */
  readonly cancelled: number
}

type Part = { readonly type: string; readonly [member: string]: unknown }

interface Details {
  readonly spec?: string
  readonly provider?: string
  readonly modelId?: string
  readonly supportedUrls?: Readonly<Record<string, readonly RegExp[]>>
}

/** A provider model that streams the given parts, one list a call. `hang` never ends. */
export function fakeProvider(replies: readonly (readonly (Part | 'hang')[])[], details: Details = {}): FakeProvider {
  const { spec = 'v3', provider = 'fake.chat', modelId = 'one', supportedUrls = {} } = details
  const sent: Sent[] = []
  let cancelled = 0
  return {
    specificationVersion: spec,
    provider,
    modelId,
    supportedUrls,
    sent,
    get cancelled() {
      return cancelled
    },
    async doStream(options: Sent) {
      const parts = [...(replies[sent.push(options) - 1] ?? [])]
      const stream = new ReadableStream<Part>({
        pull(controller) {
          const part = parts.shift()
          if (part === 'hang') return new Promise<void>(() => {})
          if (part) controller.enqueue(part)
          else controller.close()
        },
        cancel() {
          cancelled++
        },
      })
      return { stream }
    },
  }
}

/** The end of a reply in each spec's words. */
export const finish = (spec: string, unified = 'stop', usage = { input: 1000, output: 10 }): Part =>
  spec === 'v2'
    ? { type: 'finish', finishReason: unified, usage: { inputTokens: usage.input, outputTokens: usage.output } }
    : {
        type: 'finish',
        finishReason: { unified, raw: unified },
        usage: { inputTokens: { total: usage.input }, outputTokens: { total: usage.output } },
      }

export const text = (said: string): Part[] => [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: said },
  { type: 'text-end', id: '1' },
]

export const call = (name: string, input: string, more: object = {}): Part => ({
  type: 'tool-call',
  toolCallId: `id-${name}`,
  toolName: name,
  input,
  ...more,
})
