import type { Chunk } from '../core/base/ports.ts'
import { failure } from './provider-error.ts'

/** A message of the SDK, as far as it is read. */
export interface Told {
  readonly type: string
  readonly message?: { readonly content?: string | readonly Block[] }
  readonly event?: {
    readonly type: string
    readonly delta?: { readonly type: string; readonly text?: string; readonly thinking?: string }
  }
  readonly parent_tool_use_id?: string | null
  readonly is_error?: boolean
  readonly subtype?: string
  readonly result?: string
  readonly errors?: readonly string[]
  readonly stop_reason?: string | null
  readonly total_cost_usd?: number
  readonly usage?: Readonly<Record<string, unknown>>
}

interface Block {
  readonly type: string
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
  readonly tool_use_id?: string
  readonly content?: unknown
  readonly is_error?: boolean
}

/** The calls that the SDK ran by itself, and their results. */
export function* observed(
  { type, message, parent_tool_use_id: inside }: Told,
  names: Map<string, string>,
): Generator<Chunk> {
  if (inside || typeof message?.content !== 'object') return
  for (const block of message.content) {
    if (type === 'assistant' && block.type === 'tool_use') {
      const { id = '', name = '', input } = block
      names.set(id, name)
      yield { type: 'call', id, name, args: input }
    }
    if (type === 'user' && block.type === 'tool_result') {
      const { tool_use_id: id = '', content: value = '', is_error: failed } = block
      yield { type: 'result', id, name: names.get(id) ?? '', status: failed ? 'error' : 'ok', value }
    }
  }
}

/** The ids of the calls of our own tools in a reply. */
export function callsIn({ type, message, parent_tool_use_id: inside }: Told, prefix: string): string[] {
  if (inside || type !== 'assistant' || typeof message?.content !== 'object') return []
  return message.content.flatMap(block =>
    block.type === 'tool_use' && block.id && block.name?.startsWith(prefix) ? [block.id] : [],
  )
}

/** Calls are not read here: they come through the tools. Usage is told once, for the whole loop. */
export function* chunksOf(told: Told, model: string): Generator<Chunk> {
  const { delta } = told.event ?? {}
  if (told.type === 'stream_event' && delta && !told.parent_tool_use_id) {
    if (delta.text) yield { type: 'text', text: delta.text }
    if (delta.thinking) yield { type: 'reasoning', text: delta.thinking }
  }
  if (told.type !== 'result') return
  if (told.is_error) throw failed(told, model)
  const { total_cost_usd: cost, stop_reason: reason } = told
  const count = (...names: string[]) => names.reduce((sum, name) => sum + (Number(told.usage?.[name]) || 0), 0)
  const inputTokens = count('input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens')
  const outputTokens = count('output_tokens')
  const cached = count('cache_read_input_tokens')
  const details = cached ? { cachedInputTokens: cached } : {}
  yield { type: 'usage', inputTokens, outputTokens, ...details, ...(cost ? { cost } : {}) }
  yield { type: 'finish', reason: reason ?? 'stop' }
}

const failed = ({ subtype, result, errors }: Told, model: string) =>
  failure({
    code: 'model.failed',
    message: `${model}: ${result ?? errors?.join('; ') ?? subtype ?? 'it failed'}`,
    retryable: false,
  })
