import {
  type Agent,
  type Chunk,
  type Conversation,
  type CreateAgentOptions,
  createAgent,
  type Ids,
  type Model,
  type Prompt,
  type Tool,
  tool,
} from 'turnbuckle'
import { type Commit, type ConversationStore, createStore, type Driver, type LogRecord } from 'turnbuckle/stores'
import { type VirtualClock, virtualClock } from 'turnbuckle/testing'

/** One process as a situation sees it: the one that wrote the store, or a later one that opens it. */
export interface Life {
  readonly store: ConversationStore
  readonly clock: VirtualClock
  readonly ids: Ids
  /** Ends the process that writes the fixture where it was said to die here; a later process goes on. */
  reach(place: string): Promise<void>
  /** The prompts that models got and the calls that tools ran in this process. */
  readonly witness: string[]
}

/** A conversation in the fixtures, and the agent that wrote it and goes on with it. */
export interface Situation {
  /** The id of its conversation. */
  readonly name: string
  /** Completes a test's title. */
  readonly fact: string
  agent(life: Life): Agent
  /** Writes the conversation; the process of an unfinished one dies meanwhile. */
  write(agent: Agent, chat: Conversation): Promise<unknown>
  /** The place that its process dies at, or the record that it dies behind. */
  readonly dies?: string | ((record: Omit<LogRecord, 'n'>) => boolean)
  /** What another process does when that one is dead. */
  afterwards?(chat: Conversation): Promise<void>
  readonly owner?: string
}

const wroteAt = Date.UTC(2026, 10, 16)
const opensAt = wroteAt + 60_000

function idsOf(name: string): Ids {
  let made = 0
  return { next: kind => `${name}-${kind}-${++made}` }
}

/** A later process: nothing in it dies, its time is later and its ids are new. */
export const laterLife = (store: ConversationStore, name: string): Life => ({
  store,
  clock: virtualClock(opensAt),
  ids: idsOf(`${name}-turn-later`),
  reach: async () => {},
  witness: [],
})

/** The process that writes a fixture. `died` resolves when no more of it gets to the store; its lease is then over. */
export function firstLife(driver: Driver, { name, dies }: Situation): Life & { readonly died: Promise<void> } {
  const ids = idsOf(name)
  const never = new Promise<never>(() => {})
  let dead = false
  let died = () => {}
  const death = new Promise<void>(resolve => {
    died = resolve
  })
  const leases = new Map<string, readonly [holder: string, fence: number]>()
  const die = async (): Promise<never> => {
    dead = true
    for (const [conversation, lease] of leases) await driver.renew(conversation, ...lease, -1)
    died()
    return never
  }
  const commit = async (given: Commit) => {
    if (dead) return never
    const done = await driver.commit(given)
    leases.set(given.conversation, [given.holder, done.fence])
    return typeof dies === 'function' && given.records.some(dies) ? die() : done
  }
  const members: Partial<Driver> = { commit, renew: (...given) => (dead ? never : driver.renew(...given)) }
  const mortal = new Proxy(driver, {
    get(target, key: keyof Driver) {
      const member = members[key] ?? target[key]
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return {
    store: createStore(mortal),
    clock: virtualClock(wroteAt),
    // A new conversation with an owner gets its id from here.
    ids: { next: kind => (kind === 'conv' ? name : ids.next(kind)) },
    died: death,
    witness: [],
    async reach(place) {
      if (place !== dies) return
      // The log takes a growing reply every 50 milliseconds of real time.
      await new Promise(resolve => setTimeout(resolve, 120))
      await die()
    },
  }
}

export type Reply =
  | string
  | { readonly text?: string; readonly calls?: readonly string[]; readonly chunks?: readonly Chunk[] }
export type Script = (said: number, prompt: Prompt) => Reply

/** The script of a model: what it says depends on the path alone, so a later process hears the same. */
export const saying =
  (...replies: readonly Reply[]): Script =>
  said =>
    replies[said] ?? 'That is all.'

const usage: Chunk = { type: 'usage', inputTokens: 7, outputTokens: 3, cost: 0.25 }
const toolNames: Readonly<Record<string, string>> = { look: 'look', help: 'helper', fail: 'failing' }
const callOf = (line: string): Chunk => ({
  type: 'call',
  id: `call_${line}`,
  name: toolNames[line.split('-')[0] ?? ''] ?? 'note',
  args: { line },
})

function chunksOf(reply: Reply): readonly Chunk[] {
  if (typeof reply === 'string') return [{ type: 'text', text: reply }, usage, { type: 'finish', reason: 'stop' }]
  if (reply.chunks) return reply.chunks
  const text: Chunk[] = reply.text ? [{ type: 'text', text: reply.text }] : []
  return [...text, ...(reply.calls ?? []).map(callOf), usage, { type: 'finish', reason: 'tool-calls' }]
}

/** Places to die at: `model` before the first chunk, `reply` after the third. */
export const modelOf = (life: Life, script: Script): Model => ({
  id: 'script',
  async *stream(prompt) {
    const said = prompt.messages.filter(({ role }) => role === 'assistant').length
    life.witness.push(`model: ${prompt.messages.map(({ id }) => id).join(' ')} | ${prompt.instructions}`)
    await life.reach('model')
    for (const [i, chunk] of chunksOf(script(said, prompt)).entries()) {
      if (i === 3) await life.reach('reply')
      yield chunk
    }
  },
})

/** A tool whose process may die at `tool <line>`, while the call runs. */
export const toolOf = (life: Life, name: string, idempotent = false): Tool =>
  tool<{ line: string }>({
    name,
    idempotent,
    async run({ line }) {
      life.witness.push(`${name}: ${line}`)
      await life.reach(`tool ${line}`)
      return `did ${line}`
    },
  })

export function agentOf(life: Life, script: Script, options: Partial<CreateAgentOptions> = {}): Agent {
  const failing = tool({ name: 'failing', run: () => Promise.reject(new Error('It does not work.')) })
  const tools = [toolOf(life, 'note'), toolOf(life, 'look', true), failing, ...(options.tools ?? [])]
  const { store, clock, ids } = life
  return createAgent({ model: modelOf(life, script), store, clock, ids, breaker: false, ...options, tools })
}
