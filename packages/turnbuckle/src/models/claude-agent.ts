import { TurnbuckleError } from '../core/errors.ts'
import { type Message, type ToolResult, textOf } from '../core/message.ts'
import type { Chunk, Model, Prompt, Returned, StreamOptions } from '../core/ports.ts'
import { failure } from './provider-error.ts'
import { fileText, readData, toBase64 } from './provider-file.ts'
import { providerName } from './provider-id.ts'
import { ToolServer } from './tool-server.ts'

/** What is used of `@anthropic-ai/claude-agent-sdk`. */
export interface ClaudeAgentSdk {
  query(request: never): AsyncIterable<unknown>
}

export interface ClaudeAgentOptions {
  /** The SDK's own choice by default. */
  readonly model?: string
  /** Further options of the SDK's `query`: `env`, `cwd`, `maxTurns`, … Those that guard the tools cannot be changed. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** What the SDK tells, as far as it is read. */
interface Told {
  readonly type: string
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

const server = 'turnbuckle'

/**
 * Claude with its own loop, the Claude Agent SDK's. Its tools are ours and nothing else: each call comes back to us over
 * an MCP server inside this process and passes every stage and hook.
 *
 * ```ts
 * import * as sdk from '@anthropic-ai/claude-agent-sdk'
 * createAgent({ model: claudeAgent(sdk), tools, use: [approval()] })
 * ```
 */
export function claudeAgent(sdk: ClaudeAgentSdk, { model, options = {} }: ClaudeAgentOptions = {}): Model {
  const id = `claude-agent/${model ?? 'default'}`
  return {
    id,
    loop: 'intercept',
    async *stream(prompt, { signal, runTools }) {
      const abortController = new AbortController()
      const stop = () => abortController.abort(signal.reason)
      signal.addEventListener('abort', stop)
      try {
        const tools = new ToolServer(prompt.tools, inTurn(runTools))
        const request = {
          prompt: spoken(prompt),
          options: { ...options, ...ours(prompt, tools), ...(model ? { model } : {}), abortController },
        }
        for await (const told of sdk.query(request as never)) yield* chunksOf(told as Told, id)
      } finally {
        signal.removeEventListener('abort', stop)
        abortController.abort()
      }
    },
  }
}

/** No built-in tools, no settings of the machine, no session on disk: nothing runs that our hooks do not see. */
function ours({ instructions, tools }: Prompt, instance: ToolServer): object {
  const names = tools.map(({ name }) => `mcp__${server}__${providerName(name)}`)
  return {
    systemPrompt: instructions,
    tools: [],
    allowedTools: names,
    mcpServers: { [server]: { type: 'sdk', name: server, instance } },
    strictMcpConfig: true,
    settingSources: [],
    persistSession: false,
    includePartialMessages: true,
    canUseTool: async (name: string, input: unknown) =>
      names.includes(name)
        ? { behavior: 'allow', updatedInput: input }
        : { behavior: 'deny', message: `${name} is not one of the agent's tools.` },
  }
}

type Run = NonNullable<StreamOptions['runTools']>

/** One call after the other, each a batch of its own. What a person says meanwhile is told with the result. */
function inTurn(runTools: Run | undefined): ConstructorParameters<typeof ToolServer>[1] {
  if (!runTools)
    throw new TurnbuckleError(
      'model.managed',
      'A model that runs its own loop cannot be used for a call beside the loop.',
    )
  let last: Promise<unknown> = Promise.resolve()
  return call => {
    const run = last.then(() => runTools([call]))
    last = run.catch(() => {})
    return run.then(answer)
  }
}

function answer({ results, interjections }: Returned): { text: string; failed: boolean } {
  const [result = notRun] = results
  const said = interjections.map(message => `The user says meanwhile: ${textOf(message)}`)
  const value = typeof result.value === 'string' ? result.value : JSON.stringify(result.value)
  return { text: [value, ...said].join('\n\n'), failed: result.status !== 'ok' }
}
const notRun: ToolResult = { status: 'error', value: 'The call was not run.' }

/** The SDK keeps its own history, which knows no branches: so it gets ours as text, and begins anew in each turn. */
async function* spoken({ messages }: Prompt): AsyncGenerator<object> {
  const last = messages.at(-1)
  const earlier = messages.slice(0, -1)
  const content: object[] = []
  if (earlier.length)
    content.push({ type: 'text', text: `<conversation>\n${earlier.map(transcript).join('\n')}\n</conversation>` })
  for (const part of last?.content ?? []) {
    if (part.type === 'text') content.push({ type: 'text', text: part.text })
    if (part.type === 'file') content.push(attachment(part))
  }
  yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null }
}

const transcript = ({ role, content }: Message): string =>
  content
    .map(part => {
      if (part.type === 'text') return `${role}: ${part.text}`
      if (part.type === 'call') return `${role} called ${part.name}: ${JSON.stringify(part.args)}`
      if (part.type === 'result') return `${part.name} (${part.status}): ${JSON.stringify(part.value)}`
      return ''
    })
    .filter(Boolean)
    .join('\n')

function attachment(part: Extract<Message['content'][number], { type: 'file' }>): object {
  const text = fileText(part)
  if (text !== undefined) return { type: 'text', text }
  const data = readData(part.data)
  const source =
    data instanceof URL
      ? { type: 'url', url: data.href }
      : { type: 'base64', media_type: part.mediaType, data: toBase64(data) }
  return { type: part.mediaType.startsWith('image/') ? 'image' : 'document', source }
}

/** Calls are not read here: they come through the tools. Usage is told once, for the whole loop. */
function* chunksOf(told: Told, model: string): Generator<Chunk> {
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
  yield { type: 'usage', inputTokens, outputTokens, ...(cost ? { cost } : {}) }
  yield { type: 'finish', reason: reason ?? 'stop' }
}

const failed = ({ subtype, result, errors }: Told, model: string) =>
  failure({
    code: 'model.failed',
    message: `${model}: ${result ?? errors?.join('; ') ?? subtype ?? 'it failed'}`,
    retryable: false,
  })
