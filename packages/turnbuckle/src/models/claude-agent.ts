import { TurnbuckleError } from '../core/base/errors.ts'
import { textOf, toldArgs } from '../core/base/message.ts'
import type { Model, Prompt, Returned, StreamOptions } from '../core/base/ports.ts'
import { wholeMessages } from '../core/model/whole-messages.ts'
import { CallsTogether } from './calls-together.ts'
import { spoken } from './claude-prompt.ts'
import { callsIn, chunksOf, observed, type Told } from './claude-told.ts'
import { type McpContent, mcpContent } from './mcp-content.ts'
import { providerName } from './provider-id.ts'
import { shownTo } from './provider-result.ts'
import type { Viewer } from './provider-spec.ts'
import { type RunRequest, type ToolAnswer, ToolServer } from './tool-server.ts'

/** The part of `@anthropic-ai/claude-agent-sdk` that is used. */
export interface ClaudeAgentSdk {
  /** The function that runs a query of the SDK. */
  query(request: never): AsyncIterable<unknown>
}

/** The options of `claudeAgent`. */
export interface ClaudeAgentOptions {
  /** The SDK's own choice by default. */
  readonly model?: string
  /** Built-in tools that it runs by itself, instead of ours: `['Read', 'Grep']`. We are told, but cannot prevent it. */
  readonly observe?: readonly string[]
  /**
   * Calls of one reply run side by side, and are one message (true by default). The program runs calls side by side only of tools that say
   * they only read, so all of ours say so to it. With `false` none does: calls come one by one, each as a message of its own.
   */
  readonly parallel?: boolean
  /** Further options of the SDK's `query`: `env`, `cwd`, `maxTurns`, … Those that guard the tools cannot be changed. */
  readonly options?: Readonly<Record<string, unknown>>
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
export function claudeAgent(sdk: ClaudeAgentSdk, given: ClaudeAgentOptions = {}): Model {
  const { model, observe, parallel = true, options = {} } = given
  const id = `claude-agent/${model ?? 'default'}`
  return {
    id,
    loop: observe ? 'observe' : 'intercept',
    async *stream(prompt, { signal, runTools, readFile }) {
      const abortController = new AbortController()
      const stop = () => abortController.abort(signal.reason)
      signal.addEventListener('abort', stop)
      try {
        const together = new CallsTogether()
        const tools = observe ? builtIn(observe) : ours(prompt, parallel, inTurn(runTools, together))
        const request = {
          prompt: spoken(await wholeMessages(prompt.messages, readFile)),
          options: { ...options, ...common(prompt), ...tools, ...(model ? { model } : {}), abortController },
        }
        const names = new Map<string, string>()
        for await (const told of sdk.query(request as never)) {
          if (observe) yield* observed(told as Told, names)
          else if (parallel) together.tell(callsIn(told as Told, `mcp__${server}__`))
          yield* chunksOf(told as Told, id)
        }
      } finally {
        signal.removeEventListener('abort', stop)
        abortController.abort()
      }
    },
  }
}

/** No settings of the machine, no servers of its own, no session on disk. */
const common = ({ instructions }: Prompt): object => ({
  systemPrompt: instructions,
  strictMcpConfig: true,
  settingSources: [],
  persistSession: false,
  includePartialMessages: true,
})

/** Our tools and no built-in ones: nothing runs that our hooks do not see. */
function ours({ tools }: Prompt, parallel: boolean, run: RunRequest): object {
  const instance = new ToolServer(tools, run, parallel)
  const names = tools.map(({ name }) => `mcp__${server}__${providerName(name)}`)
  return { tools: [], mcpServers: { [server]: { type: 'sdk', name: server, instance } }, ...allowing(names) }
}

const builtIn = (names: readonly string[]): object => ({ tools: names, mcpServers: {}, ...allowing(names) })

/** The SDK asks about each call, and warns in each turn where it need not ask about some. */
const allowing = (names: readonly string[]): object => ({
  allowedTools: [],
  permissionMode: 'default',
  canUseTool: async (name: string, input: unknown) =>
    names.includes(name)
      ? { behavior: 'allow', updatedInput: input }
      : { behavior: 'deny', message: `${name} is not one of the agent's tools.` },
})

type Run = NonNullable<StreamOptions['runTools']>

/** Runs the calls of a reply as one batch. Interjections are told with the last result. */
function inTurn(runTools: Run | undefined, together: CallsTogether): RunRequest {
  if (!runTools)
    throw new TurnbuckleError(
      'model.managed',
      'A model that runs its own loop cannot be used for a call beside the loop.',
    )
  return async call => {
    await together.came(call.id)
    return answer(await runTools([call]))
  }
}

function answer({ results, interjections }: Returned): ToolAnswer {
  const [{ status, value, args } = notRun] = results
  const note = args === undefined ? [] : [toldArgs(args)]
  const said = interjections.map(message => `${message.by ?? 'The user'} says meanwhile: ${textOf(message)}`)
  const content = [...note.map(asText), ...mcpContent(value, part => shownTo(claude, part)), ...said.map(asText)]
  return { content, failed: status !== 'ok' }
}
/** Any other file its program would put on the disk, for tools that it does not have. */
const claude: Viewer = { name: 'Claude', urls: {}, shows: /^image\/(png|jpeg|gif|webp)$/ }
const asText = (text: string): McpContent => ({ type: 'text', text })
const notRun: Returned['results'][number] = { status: 'error', value: 'The call was not run.' }
