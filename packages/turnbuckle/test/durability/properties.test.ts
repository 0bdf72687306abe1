import fc from 'fast-check'
import { type Agent, block, createAgent, type Event, middleware, rewind, type Turn, textOf, tool } from 'turnbuckle'
import { type ConversationStore, createStore, type Driver, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

/** What a person does next; `at` chooses a message of the tree. */
type Command =
  | { readonly do: 'send' | 'approve' | 'deny' | 'expire' | 'edit' | 'rewind' | 'snapshot' | 'interrupt' | 'crash' }
  | { readonly do: 'branch' | 'switch'; readonly at: number }
  | { readonly do: 'delete' }

const sends = ['send', 'approve', 'deny', 'expire', 'edit', 'rewind', 'snapshot', 'interrupt', 'crash'] as const
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom(...sends) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('branch' as const, 'switch' as const), at: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'delete' as const }) },
)

/** The user's words say what the hooks are to do in that turn. */
const obedient = () => [
  middleware({
    name: 'asking',
    guard: true,
    async beforeTool(ctx) {
      const word = textOf(ctx.messages.at(-2))
      if (!['approve', 'deny', 'expire'].includes(word)) return
      const how = word === 'expire' ? { timeout: 0, fallback: 'deny' } : { timeout: Infinity }
      const answer = (await ctx.ask('permission', ctx.call, how)) as { decision: string }
      if (answer.decision === 'deny') return block('denied')
    },
  }),
  middleware({
    name: 'changing',
    scope: 'branch',
    state: { turns: 0 },
    beforeStep(ctx) {
      const last = ctx.messages.at(-1)
      if (ctx.step === 0 && last && textOf(last) === 'edit')
        ctx.messages.replace(last.id, { role: 'user', content: 'edited' })
    },
    afterDecide(ctx) {
      ctx.update(({ turns }) => ({ turns: turns + 1 }))
      const word = [...ctx.messages].findLast(({ role }) => role === 'user')
      if (ctx.goesOn || !word || !['rewind', 'snapshot'].includes(textOf(word))) return
      return rewind(textOf(word) === 'rewind' ? 1 : word.id, 'Once more.')
    },
  }),
]

class Program {
  readonly #driver: Driver
  readonly #count: { turns: number }
  #agent: Agent

  constructor(driver: Driver) {
    this.#driver = driver
    this.#count = { turns: 0 }
    this.#agent = this.#newAgent()
  }

  #newAgent(): Agent {
    const count = this.#count
    const model = scriptedModel(
      [
        ({ messages }) =>
          messages.at(-1)?.role === 'tool'
            ? 'Done.'
            : { calls: [{ name: 'note', args: {}, id: `call_${count.turns}` }] },
      ],
      { repeat: true },
    )
    const hangs = () => this.#hanging
    const note = tool({ name: 'note', idempotent: true, run: () => (hangs() ? new Promise(() => {}) : 'noted') })
    const ids = { next: (kind: string) => (kind === 'turn' ? `turn_${++count.turns}` : kind) }
    return createAgent({ model, tools: [note], store: createStore(this.#driver), use: obedient(), breaker: false, ids })
  }
  #hanging = false

  async do(command: Command): Promise<void> {
    this.#hanging = command.do === 'interrupt' || command.do === 'crash'
    const chat = await this.#agent.open('c')
    if (command.do === 'delete') {
      chat.delete()
      await this.store.delete('c')
      return
    }
    const nodes = await this.store.nodes('c')
    if (command.do === 'switch' || command.do === 'branch') {
      const node = nodes.length ? nodes[command.at % nodes.length] : undefined
      if (!node) return
      if (command.do === 'branch') await this.#follow(chat.fork(node.id).send('send'), 'send')
      else await settled(this.store, () => chat.checkout(node.id))
      return
    }
    await this.#follow(chat.send(command.do), command.do)
    if (command.do !== 'crash') return
    this.#hanging = false
    this.#agent = this.#newAgent()
    await this.#agent.open('c')
    await this.#agent.resume('c')
  }

  async #follow(turn: Turn, word: string): Promise<void> {
    for await (const event of turn) await this.#react(turn, event, word)
  }
  async #react(turn: Turn, event: Event, word: string): Promise<void> {
    if (event.type === 'request.opened' && word !== 'expire')
      turn.answer(event.requestId, { decision: word === 'approve' ? 'allow' : 'deny' })
    if (event.type !== 'tool.executing') return
    if (word === 'interrupt') turn.interrupt('enough')
    if (word === 'crash') await this.#agent.close()
  }

  get store(): ConversationStore {
    return createStore(this.#driver)
  }
  async canonical(): Promise<unknown> {
    const nodes = await this.store.nodes('c')
    const parents = new Set(nodes.map(({ parent }) => parent))
    for (const { id } of nodes.filter(leaf => !parents.has(leaf.id)))
      expect(checkHistory((await this.store.path('c', id)).map(({ message }) => message))).toEqual([])
    const events = await this.store.events('c')
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
    const rows = nodes.map(({ id, parent, message, state }) => ({ id, parent, message, state }))
    return JSON.parse(JSON.stringify(rows.sort((a, b) => (a.id < b.id ? -1 : 1))))
  }
}

/** Waits until an event outside any turn is in the log. */
async function settled(store: ConversationStore, act: () => void): Promise<void> {
  const before = (await store.conversation('c'))?.seq ?? 0
  act()
  await expect
    .poll(async () => (await store.conversation('c'))?.seq ?? 0, { interval: 1, timeout: 60_000 })
    .toBeGreaterThan(before)
}

// FC_RUNS=2000 FC_SEED=1 npx vitest run durability/properties: a longer search.
const numRuns = Number(process.env.FC_RUNS ?? 40)
const seed = Number(process.env.FC_SEED ?? 20261115)

test('any order of commands gives the same tree in memory and in SQLite', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 7 }), async commands => {
      const stores = [memoryStore(), sqliteStore(':memory:')]
      const trees: unknown[] = []
      for (const { driver } of stores) {
        const program = new Program(driver)
        for (const next of commands) await program.do(next)
        trees.push(await program.canonical())
      }
      for (const store of stores) await store.close()
      expect(trees[1]).toEqual(trees[0])
    }),
    { numRuns, seed },
  )
})
