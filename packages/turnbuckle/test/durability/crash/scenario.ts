import {
  type Agent,
  type Chunk,
  type Conversation,
  createAgent,
  type Event,
  type Middleware,
  type Model,
  type Prompt,
  type Turn,
  tool,
} from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import { checkHistory } from 'turnbuckle/testing'

/** What a scenario has of the world outside: it outlives the process. */
export interface World {
  readonly store: ConversationStore
  /** Does something that must not be done twice. */
  effect(line: string): void
  /** Whether it was done, also by a process that is dead. */
  happened(line: string): boolean
  /** A history that a strict provider would refuse. */
  invalid(problem: string): void
  /** How many turns the log has. */
  turns: number
}

export interface Scenario {
  readonly name: string
  agent(world: World): Agent
  /** One function a turn; each finds the conversation as the turns before have left it. */
  readonly turns: readonly ((conversation: Conversation) => Turn)[]
  /** What a person says; yes when absent. */
  answer?(kind: string, payload: unknown): unknown
  /** What a person does when an event is told; `before`: what the log has already. */
  react?(event: Event, turn: Turn, before: readonly Event[]): void
}

export type Reply = { text?: string; calls?: readonly string[]; chunks?: readonly Chunk[]; error?: string }
export type Script = (said: number, prompt: Prompt) => Reply | string

export const callChunk = (line: string): Chunk => ({
  type: 'call',
  id: `call_${line}`,
  name: toolOf(line),
  args: { line },
})
const toolOf = (line: string) => (line.startsWith('safe') ? 'look' : line.startsWith('sub') ? 'helper' : 'note')

function chunksOf(reply: Reply | string): readonly Chunk[] {
  if (typeof reply === 'string') return [{ type: 'text', text: reply }, usage]
  if (reply.chunks) return reply.chunks
  const text: Chunk[] = reply.text ? [{ type: 'text', text: reply.text }] : []
  return [...text, ...(reply.calls ?? []).map(callChunk), usage]
}
export const usage: Chunk = { type: 'usage', inputTokens: 3, outputTokens: 2, cost: 0.01 }

/** Says the same after a crash: what it says depends only on the path. */
export const scripted = (world: World, script: Script): Model => ({
  id: 'script',
  async *stream(prompt) {
    for (const problem of checkHistory(prompt.messages)) world.invalid(problem)
    const said = prompt.messages.filter(({ role }) => role === 'assistant').length
    const reply = script(said, prompt)
    for (const chunk of chunksOf(reply)) {
      yield chunk
      if (typeof reply === 'object' && reply.chunks) await new Promise(resolve => setImmediate(resolve))
    }
    if (typeof reply === 'object' && reply.error) throw new Error(reply.error)
  },
})

export function agentOf(
  world: World,
  model: Model,
  use: readonly Middleware[] = [],
  tools: Parameters<typeof createAgent>[0]['tools'] = [],
): Agent {
  const note = tool<{ line: string }>({
    name: 'note',
    run: async ({ line }) => {
      world.effect(line)
      return `noted ${line}`
    },
  })
  const look = tool<{ line: string }>({ name: 'look', idempotent: true, run: ({ line }) => `saw ${line}` })
  const ids = { next: (kind: string) => `${kind}_${kind === 'turn' ? ++world.turns : 1}` }
  return createAgent({ model, tools: [note, look, ...tools], store: world.store, breaker: false, use, ids })
}

export const go = (conversation: Conversation) => conversation.send('Go.')
export const simple = (name: string, script: Script, use: () => readonly Middleware[] = () => []): Scenario => ({
  name,
  agent: world => agentOf(world, scripted(world, script), use()),
  turns: [go],
})
export const saying =
  (...replies: readonly (Reply | string)[]): Script =>
  said =>
    replies[said] ?? 'That is all.'
