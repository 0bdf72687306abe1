import fc from 'fast-check'
import {
  type Agent,
  block,
  type Conversation,
  createAgent,
  type Event,
  middleware,
  rewind,
  type Turn,
  textOf,
  tool,
} from 'turnbuckle'
import { type ConversationStore, createStore, type Driver } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { expect } from 'vitest'
import { type Mortal, mortal } from './mortal-driver.ts'

const words = ['send', 'approve', 'deny', 'expire', 'edit', 'rewind', 'snapshot'] as const
const moments = ['turn.started', 'message.added', 'request.opened', 'tool.executing', 'tool.completed'] as const

/** What a person does next; `at` chooses a message of the tree. A crash comes in a turn, when something is told. */
export type Command =
  | { readonly do: (typeof words)[number] | 'interrupt' | 'delete' }
  | { readonly do: 'branch' | 'fork' | 'switch'; readonly at: number }
  | { readonly do: 'crash'; readonly word: (typeof words)[number]; readonly moment: (typeof moments)[number] }

export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom(...words, 'interrupt' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('branch' as const, 'fork' as const, 'switch' as const),
      at: fc.nat(50),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      word: fc.constantFrom(...words),
      moment: fc.constantFrom(...moments),
    }),
  },
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
      const word = textOf([...ctx.messages].findLast(({ role }) => role === 'user'))
      if (ctx.goesOn || (word !== 'rewind' && word !== 'snapshot')) return
      if (word === 'rewind') return rewind(1, 'Once more.')
      const taken = ctx.snapshot()
      ctx.messages.append({ role: 'user', content: 'A thought.' })
      return rewind(taken, 'Once more.')
    },
  }),
  middleware({
    name: 'counting',
    scope: 'conversation',
    state: { calls: 0 },
    afterTool: ctx => ctx.update(({ calls }) => ({ calls: calls + 1 })),
  }),
]

/** A person, a process that may die, and a store that outlives it. */
export class Program {
  readonly #driver: Driver
  /** Whether crashes happen: without them the tree must become the same. */
  readonly #crashes: boolean
  #turns = 0
  #hanging = false
  #process!: { readonly agent: Agent; readonly life: Mortal }

  constructor(driver: Driver, crashes: boolean) {
    this.#driver = driver
    this.#crashes = crashes
    this.#start()
  }

  #start(): void {
    const reply = () => ({ calls: [{ name: 'note', args: {}, id: `call_${this.#turns}` }] })
    const model = scriptedModel([({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Done.' : reply())], {
      repeat: true,
    })
    const run = () => (this.#hanging ? new Promise(() => {}) : 'noted')
    const note = tool({ name: 'note', idempotent: true, run })
    const ids = { next: (kind: string) => (kind === 'turn' ? `turn_${++this.#turns}` : kind) }
    const life = mortal(this.#driver)
    const store = createStore(life.driver)
    this.#process = { life, agent: createAgent({ model, tools: [note], store, use: obedient(), breaker: false, ids }) }
  }

  async do(command: Command): Promise<void> {
    this.#hanging = command.do === 'interrupt'
    const chat = await this.#process.agent.open('c')
    if (command.do === 'delete') await chat.delete()
    else if ('at' in command) await this.#move(chat, command)
    else if (command.do === 'interrupt') await this.#interrupt(chat)
    else if (command.do !== 'crash') await this.#follow(chat, chat.send(command.do), command.do)
    else if (this.#crashes) await this.#crash(chat, command)
    else await this.#follow(chat, chat.send(command.word), command.word)
  }

  async #interrupt(chat: Conversation): Promise<void> {
    const turn = chat.send('interrupt')
    for await (const event of turn) if (event.type === 'tool.executing') turn.interrupt('enough')
    // After hooks run behind the terminal event; when they have, the conversation is let go of.
    await settled(() => isFree(this.#driver))
  }

  async #move(chat: Conversation, command: Command & { at: number }): Promise<void> {
    const nodes = await this.store.nodes('c')
    const node = nodes.length ? nodes[command.at % nodes.length] : undefined
    if (!node) return
    if (command.do === 'switch') {
      chat.checkout(node.id)
      return settled(async () => (await this.store.conversation('c'))?.head === chat.head)
    }
    const fork = chat.fork(node.id)
    await settled(async () => (await this.store.nodes('c')).some(({ id }) => id === fork.head))
    if (command.do === 'branch') await this.#follow(fork, fork.send('send'), 'send')
    else expect(checkHistory(fork.messages)).toEqual([])
  }

  /** The process dies when the moment comes, or after the turn; another one goes on. */
  async #crash(chat: Conversation, { word, moment }: Command & { do: 'crash' }): Promise<void> {
    const { life } = this.#process
    const turn = chat.send(word)
    for await (const event of turn) {
      if (event.type === moment) break
      this.#react(chat, event, word)
    }
    await life.end('c')
    this.#start()
    const { agent } = this.#process
    const again = await agent.open('c')
    const resumed = agent.resume('c')
    if (resumed) await this.#follow(again, resumed, word)
  }

  async #follow(chat: Conversation, turn: Turn, word: string): Promise<void> {
    for await (const event of turn) this.#react(chat, event, word)
  }
  #react(chat: Conversation, event: Event, word: string): void {
    if (event.type !== 'request.opened' || word === 'expire') return
    // One that was answered before the crash is told again, and waits for nobody.
    if (chat.requests.some(({ id }) => id === event.requestId))
      chat.answer(event.requestId, { decision: word === 'approve' ? 'allow' : 'deny' })
  }

  get store(): ConversationStore {
    return createStore(this.#driver)
  }

  /** The tree, after what must hold for it has been checked. */
  async canonical(): Promise<unknown> {
    const nodes = await this.store.nodes('c')
    const known = new Set(nodes.map(({ id }) => id))
    const parents = new Set(nodes.map(({ parent }) => parent))
    for (const { parent } of nodes) expect(parent === undefined || known.has(parent)).toBe(true)
    for (const { id } of nodes.filter(leaf => !parents.has(leaf.id)))
      expect(checkHistory((await this.store.path('c', id)).map(({ message }) => message))).toEqual([])
    const events = await this.store.events('c')
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
    const rows = nodes.map(({ id, parent, message, state, hidden }) =>
      JSON.stringify({ id, parent, message, state, hidden }),
    )
    const turns = (await this.store.turns({ conversation: 'c' })).map(({ id, status }) => [id, status])
    const row = await this.store.conversation('c')
    const states = await this.#driver.states('c')
    return { rows: rows.map(plain).sort(), turns: turns.sort(), head: row?.head && plain(row.head), states }
  }
}

/** An attempt that a crash cut short is not taken up again: the next one has the next number. */
const plain = (text: string) => text.replace(/(\.s\d+a)\d+/g, '$1')

/** Waits until what was done outside any turn is in the log. */
const settled = (check: () => Promise<unknown>): Promise<void> =>
  expect.poll(check, { interval: 1, timeout: 60_000 }).toBe(true)

/** Whether nobody writes to it any more. */
export async function isFree(driver: Driver): Promise<boolean> {
  const probe = { holder: 'probe', fence: undefined, leaseMs: 0, release: true, records: [], head: undefined }
  try {
    await driver.commit({ conversation: 'c', ...probe })
    return true
  } catch {
    return false
  }
}
