import type { Chunk, ResponseFacts, ToolSpec } from '../core/base/ports.ts'
import type { Price } from './prices.ts'
import { failure } from './provider-error.ts'
import { toBase64 } from './provider-file.ts'
import type { Metadata, PartStream, ProviderWarning, StreamPart } from './provider-spec.ts'
import { freeformTools, ourName } from './provider-tools.ts'
import { usageOf } from './provider-usage.ts'

export interface Reading {
  readonly model: string
  readonly price?: Price | undefined
  /** Some servers never say why a reply ended, so that its end looks like a cut. */
  readonly finish: 'required' | 'optional'
  /** The tools of this call. */
  readonly tools: readonly ToolSpec[]
  /** True for a provider that tells the results of its own calls in a later reply. */
  readonly pauses: boolean
}

type Flowing = 'text' | 'reasoning'

type CallChunk = Extract<Chunk, { type: 'call' }>

/** Reads a provider's stream to its end, and gives it back when nobody wants the rest. */
export async function* readParts(stream: PartStream, reading: Reading): AsyncGenerator<readonly Chunk[]> {
  const reader = stream.getReader()
  const reply = new ReplyReader(reading)
  let ended = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const chunks = reply.read(value as StreamPart)
      if (chunks.length) yield chunks
    }
    ended = true
    reply.checkEnd()
  } finally {
    if (!ended) void reader.cancel().catch(() => {})
  }
}

/** Reads a reply, part by part. */
class ReplyReader {
  readonly #reading: Reading
  readonly #metadata = new Map<string, Metadata>()
  /** The kind of the block that ended last without data of its own, until something else than a source comes. */
  #ended: Flowing | undefined
  /** Calls whose arguments are being written. */
  readonly #open = new Map<string, { readonly name: string; text: string }>()
  /** The provider ran tools itself, at prices that are not in the table. */
  #executed = false
  /** Calls of the provider that have no result yet. */
  readonly #pending = new Set<string>()
  /** The last call: only what comes next says whether it was whole, and whether the provider asks before it runs it. */
  #held: CallChunk | undefined
  #finished = false
  #response: ResponseFacts | undefined

  constructor(reading: Reading) {
    this.#reading = reading
  }

  read(part: StreamPart): readonly Chunk[] {
    const handle = handlers[part.type]
    if (!handle) return []
    const held = this.#held
    const chunks = handle(this, part)
    return chunks.length && held && held === this.#held ? [...this.#release(), ...chunks] : chunks
  }

  /** Merges the provider's metadata of a block, which comes with its start, its deltas or its end. */
  note({ type, id = '', providerMetadata }: StreamPart): Metadata | undefined {
    const key = `${type.slice(0, type.indexOf('-'))} ${id}`
    const known = this.#metadata.get(key)
    if (!providerMetadata) return known
    const merged: Record<string, Readonly<Record<string, unknown>>> = { ...known }
    for (const [provider, values] of Object.entries(providerMetadata))
      merged[provider] = { ...merged[provider], ...values }
    this.#metadata.set(key, merged)
    return merged
  }

  /** A block begins. The one before it ends here, where nothing else has ended it. */
  begin(kind: Flowing, part: StreamPart): readonly Chunk[] {
    this.#metadata.delete(`${kind} ${part.id ?? ''}`)
    this.note(part)
    const follows = this.#ended === kind
    this.#ended = undefined
    return follows ? [{ type: kind, text: '', end: true }] : none
  }
  end(kind: Flowing, part: StreamPart): readonly Chunk[] {
    const meta = this.note(part)
    this.#ended = meta ? undefined : kind
    return meta ? [{ type: kind, text: '', meta }] : none
  }

  openCall({ id = '', toolName = '', providerExecuted }: StreamPart): readonly Chunk[] {
    if (providerExecuted) return none
    const name = ourName(this.#reading.tools, toolName)
    this.#open.set(id, { name, text: '' })
    return [{ type: 'calling', id, name, text: '' }]
  }
  growCall({ id = '', delta = '' }: StreamPart): readonly Chunk[] {
    const open = this.#open.get(id)
    if (!open || !delta) return none
    open.text += delta
    return [{ type: 'calling', id, name: open.name, text: delta }]
  }

  call(part: StreamPart): readonly Chunk[] {
    const { toolCallId: id = '', toolName = '', input: args = '', providerMetadata: meta, providerExecuted } = part
    const name = providerExecuted ? toolName : ourName(this.#reading.tools, toolName)
    this.#open.delete(id)
    const before = this.#release()
    this.#held = {
      type: 'call',
      id,
      name,
      args: this.#argsOf(name, args),
      ...(providerExecuted ? { byProvider: true } : {}),
      ...(meta && { meta }),
    }
    if (providerExecuted) {
      this.#executed = true
      this.#pending.add(id)
    }
    return before
  }
  #argsOf(name: string, args: string): unknown {
    return freeformTools(this.#reading.tools).includes(name) ? { input: JSON.parse(args) } : args
  }
  /** The provider asks whether it may run the call that it has just told. */
  askApproval({ approvalId = '', toolCallId = '' }: StreamPart): readonly Chunk[] {
    const held = this.#held
    if (held?.id !== toolCallId) return none
    this.#pending.delete(toolCallId)
    this.#held = undefined
    return [{ ...held, approval: approvalId }]
  }

  result(part: StreamPart): readonly Chunk[] {
    const { toolCallId: id = '', toolName: name = '', result: value, providerMetadata: meta } = part
    if (part.preliminary) return none
    this.#pending.delete(id)
    this.#executed = true
    const status = part.isError ? 'error' : 'ok'
    return [{ type: 'result', id, name, status, value, ...(meta ? { meta } : {}) }]
  }

  /** The provider names its reply. What is told later counts. */
  noteResponse({ id, modelId: model }: StreamPart): readonly Chunk[] {
    this.#response = { ...this.#response, ...(id ? { id } : {}), ...(model ? { model } : {}) }
    return none
  }

  finish({ usage, finishReason, providerMetadata }: StreamPart): readonly Chunk[] {
    const { model, price } = this.#reading
    const reason = typeof finishReason === 'string' ? finishReason : (finishReason?.unified ?? 'unknown')
    const raw = typeof finishReason === 'string' ? undefined : finishReason?.raw
    if (reason === 'error') throw garbled(model, raw)
    const told = raw !== undefined || !unsaid.includes(reason)
    if (!told && this.#reading.finish === 'required' && !this.#whole(reason)) throw cut(model)
    this.#finished = true
    const counted = usageOf(usage, providerMetadata, this.#executed ? undefined : price)
    return [
      ...this.#release(reason === 'length' || !told),
      ...this.#unfinished(),
      { type: 'usage', ...counted },
      {
        type: 'finish',
        reason: this.#isPaused(reason, raw) ? 'pause' : reason,
        ...refusalIn(providerMetadata),
        ...(this.#response ? { response: this.#response } : {}),
      },
    ]
  }

  /** Anthropic stops long work of its own tools, and wants to be called again; spec v2 does not tell its word for that. */
  #isPaused(reason: string, raw: string | undefined): boolean {
    return (
      raw === 'pause_turn' || (reason === 'stop' && raw === undefined && this.#reading.pauses && this.#pending.size > 0)
    )
  }

  /** Spec v2 has one word for no reason and for one it does not know; a call at the end that is whole tells them apart. */
  #whole(reason: string): boolean {
    return reason === 'unknown' && this.#held !== undefined && !this.#open.size && isObject(this.#held.args)
  }

  checkEnd(): void {
    if (!this.#finished) throw cut(this.#reading.model)
  }

  /** A call without arguments at the very end of a reply that ran out of room has lost them. */
  #release(outOfRoom = false): readonly Chunk[] {
    const held = this.#held
    this.#held = undefined
    if (!held) return []
    const lost = outOfRoom && /^\s*(\{\s*\})?\s*$/.test(String(held.args))
    return [lost ? { ...held, args: notJson } : held]
  }

  /** Calls that were begun and never made. They are answered with an error, not run. */
  #unfinished(): Chunk[] {
    return [...this.#open].map(([id, { name, text }]) => ({
      type: 'call',
      id,
      name,
      args: text.trim() ? text : notJson,
    }))
  }
}

/** JSON of an object with something in it; no part of it is that too. */
function isObject(args: unknown): boolean {
  try {
    return Object.keys(JSON.parse(String(args)) as object).length > 0
  } catch {
    return false
  }
}

/** The words of a refusal, which some providers tell beside the text. */
function refusalIn(metadata: Metadata | undefined): { readonly text?: string } {
  const refusal = Object.values(metadata ?? {}).find(told => typeof told?.refusal === 'string' && told.refusal)?.refusal
  return refusal === undefined ? {} : { text: String(refusal) }
}

/** Finish reasons by which the specs say that the provider gave none: the stream just ended. */
const unsaid: readonly string[] = ['unknown', 'other', 'interrupted']

/** The beginning of an object: never a value, so never run. */
const notJson = '{'

const cut = (model: string) =>
  failure({
    code: 'model.cut',
    message: `The reply of ${model} ended early: the connection was lost, or the server never says why a reply ends (then pass { finish: 'optional' }).`,
    retryable: true,
  })
const garbled = (model: string, raw: string | undefined) =>
  failure({ code: 'model.garbled', message: `${model} failed in its reply${raw ? ` (${raw})` : ''}.`, retryable: true })

const none: readonly Chunk[] = []

function delta(type: Flowing) {
  return (reply: ReplyReader, part: StreamPart): readonly Chunk[] => {
    reply.note(part)
    return part.delta ? [{ type, text: part.delta }] : none
  }
}

/** By the kind of part. What is not here is passed over: a newer spec may have more. */
const handlers: Readonly<Record<string, (reply: ReplyReader, part: StreamPart) => readonly Chunk[]>> = {
  'stream-start': (_reply, { warnings = [] }) =>
    warnings.map(warning => ({ type: 'warning', text: describe(warning) })),
  'response-metadata': (reply, part) => reply.noteResponse(part),
  'text-start': (reply, part) => reply.begin('text', part),
  'text-delta': delta('text'),
  'text-end': (reply, part) => reply.end('text', part),
  'reasoning-start': (reply, part) => reply.begin('reasoning', part),
  'reasoning-delta': delta('reasoning'),
  'reasoning-end': (reply, part) => reply.end('reasoning', part),
  'tool-input-start': (reply, part) => reply.openCall(part),
  'tool-input-delta': (reply, part) => reply.growCall(part),
  'tool-call': (reply, part) => reply.call(part),
  'tool-approval-request': (reply, part) => reply.askApproval(part),
  'tool-result': (reply, part) => reply.result(part),
  file: (_reply, part) => fileChunk(part),
  source: (_reply, part) => sourceChunk(part),
  custom: (_reply, { kind = '', providerMetadata: meta }) =>
    aboutReply.includes(kind) ? none : [{ type: 'custom', kind, ...(meta ? { meta } : {}) }],
  finish: (reply, part) => reply.finish(part),
  error: (_reply, { error }) => {
    throw error
  },
}

/** Custom parts that tell of the response and are no part of the reply: nobody wants them back. */
const aboutReply: readonly string[] = ['anthropic.message_start']

function sourceChunk({ url, title, filename: name, mediaType, providerMetadata: meta }: StreamPart): Chunk[] {
  const told = { url, title, name, mediaType, meta }
  return [{ type: 'source', ...Object.fromEntries(Object.entries(told).filter(([, value]) => value)) }]
}

function fileChunk({ mediaType = 'application/octet-stream', data, providerMetadata: meta }: StreamPart): Chunk[] {
  const tagged = typeof data === 'object' && data !== null && 'type' in data
  const { data: bytes, url } = (tagged ? data : { data }) as { data?: string | Uint8Array; url?: string | URL }
  const content = bytes === undefined ? String(url) : toBase64(bytes)
  return [{ type: 'file', mediaType, data: content, ...(meta ? { meta } : {}) }]
}

function describe({ type, message, feature, setting, tool, details }: ProviderWarning): string {
  const about = feature ?? setting ?? (tool as { name?: string } | undefined)?.name
  return [message ?? `${type}${about === undefined ? '' : `: ${String(about)}`}`, details].filter(Boolean).join('. ')
}
