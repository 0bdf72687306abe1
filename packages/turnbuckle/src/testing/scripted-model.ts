import { abortableSleep } from '../core/async/abortable-sleep.ts'
import { TurnbuckleError } from '../core/base/errors.ts'
import type { Chunk, Clock, Model, Prompt, StreamOptions, Usage } from '../core/base/ports.ts'
import { systemClock } from '../core/base/ports.ts'

/** A reply of the script, part by part. */
export interface ScriptedReply {
  /** The text of the reply. */
  readonly text?: string
  /** The model's thoughts. */
  readonly reasoning?: string
  /** The tool calls that the reply asks for. */
  readonly calls?: readonly { readonly name: string; readonly args?: unknown; readonly id?: string }[]
  /** Exactly these chunks, instead of what the other members make. */
  readonly chunks?: readonly (Chunk | readonly Chunk[])[]
  /** Waits before the first chunk, on the agent's clock unless `scriptedModel` was given another. */
  readonly delayMs?: number
  /** Thrown after the chunks. */
  readonly error?: unknown
  /** The tokens that the call reports. */
  readonly usage?: Usage
  /** The finish reason; by default `tool-calls` where there are calls, else `stop`. */
  readonly finish?: string
}

/** An entry of the script: text, a reply, or a function of the prompt. */
export type ScriptedStep =
  | string
  | ScriptedReply
  | ((prompt: Prompt) => string | ScriptedReply | Promise<string | ScriptedReply>)

/** A model that plays a script, and keeps the prompts that it was sent. */
export interface ScriptedModel extends Model {
  /** The prompts that the model was sent, call by call. */
  readonly prompts: readonly Prompt[]
}

/** The options of `scriptedModel`. */
export interface ScriptedOptions {
  /** The model's id. `scripted` by default. */
  readonly id?: string
  /** The clock that `delayMs` goes by; the agent's by default. */
  readonly clock?: Clock
  /** Begins again when the script is over. */
  readonly repeat?: boolean
}

/** A model that says what the script says, one entry a call, and throws when the script is over. */
export function scriptedModel(script: readonly ScriptedStep[], options: ScriptedOptions = {}): ScriptedModel {
  const prompts: Prompt[] = []
  const { id = 'scripted', repeat = false } = options
  return {
    id,
    prompts,
    async *stream(prompt: Prompt, { signal, clock = systemClock }: StreamOptions) {
      const call = prompts.push({ ...prompt, messages: [...prompt.messages] }) - 1
      const step = script[repeat ? call % script.length : call]
      if (step === undefined)
        throw new TurnbuckleError(
          'script.over',
          `The script has ${script.length} replies; this is call ${call + 1}. Add one, or pass { repeat: true }.`,
        )
      const reply = typeof step === 'function' ? await step(prompt) : step
      const said = typeof reply === 'string' ? { text: reply } : reply
      if (said.delayMs) await abortableSleep(options.clock ?? clock, said.delayMs, signal)
      yield* said.chunks ?? chunksOf(said, call)
      if (said.error !== undefined) throw said.error
    },
  }
}

function* chunksOf(reply: ScriptedReply, call: number): Generator<Chunk> {
  if (reply.reasoning) yield { type: 'reasoning', text: reply.reasoning }
  if (reply.text) yield { type: 'text', text: reply.text }
  for (const [i, { id, name, args }] of (reply.calls ?? []).entries())
    yield { type: 'call', id: id ?? `call_${call + 1}_${i + 1}`, name, args: args ?? {} }
  if (reply.error !== undefined) return
  if (reply.usage) yield { type: 'usage', ...reply.usage }
  yield { type: 'finish', reason: reply.finish ?? (reply.calls?.length ? 'tool-calls' : 'stop') }
}
