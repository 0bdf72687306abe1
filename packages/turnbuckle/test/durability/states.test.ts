import { type Agent, type Conversation, createAgent, middleware, rewind, textOf, tool } from 'turnbuckle'
import { createStore, type Driver, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { isFree } from './command-program.ts'
import { type Mortal, mortal } from './mortal-driver.ts'

type Scope = 'turn' | 'branch' | 'conversation'
type Word = 'say' | 'call' | 'rewind' | 'edit' | 'interrupt' | 'crash' | 'fork'

/** Counts 1 before a turn, 10 after each decision, 100 after each call; says what it finds when a turn begins. */
const counting = (scope: Scope, found: (n: number) => void) =>
  middleware({
    name: 'counting',
    scope,
    state: { n: 0 },
    beforeTurn(ctx) {
      found(ctx.state.n)
      ctx.update(({ n }) => ({ n: n + 1 }))
    },
    afterDecide: ctx => ctx.update(({ n }) => ({ n: n + 10 })),
    afterTool: ctx => ctx.update(({ n }) => ({ n: n + 100 })),
  })

/** The user's words say what is to happen. */
const obedient = () =>
  middleware({
    name: 'obedient',
    beforeStep(ctx) {
      const last = ctx.messages.at(-1)
      if (ctx.step === 0 && last && textOf(last) === 'edit')
        ctx.messages.replace(last.id, { role: 'user', content: 'edited' })
    },
    afterDecide(ctx) {
      const asked = [...ctx.messages].findLast(({ role }) => role === 'user')
      if (textOf(asked) === 'rewind') return rewind(0, 'Once more.')
    },
  })

class World {
  readonly #driver: Driver
  readonly #scope: Scope
  #process!: { readonly agent: Agent; readonly life: Mortal }
  #hangs = false
  found = -1

  constructor(driver: Driver, scope: Scope) {
    this.#driver = driver
    this.#scope = scope
    this.start()
  }

  start(): void {
    const calls = { calls: [{ name: 'note', args: {} }] }
    const asks = ['call', 'interrupt', 'crash']
    const reply = (text: string) => (asks.includes(text) ? calls : 'Well.')
    const model = scriptedModel([({ messages }) => reply(textOf(messages.at(-1)))], { repeat: true })
    const run = () => (this.#hangs ? new Promise(() => {}) : 'noted')
    const note = tool({ name: 'note', idempotent: true, run })
    const life = mortal(this.#driver)
    const found = (n: number) => {
      this.found = n
    }
    const use = [obedient(), counting(this.#scope, found)]
    this.#process = {
      life,
      agent: createAgent({ model, tools: [note], store: createStore(life.driver), use, breaker: false }),
    }
  }
  get chat(): Conversation {
    return this.#process.agent.conversation('c')
  }

  async do(word: Word): Promise<void> {
    const { chat } = this
    this.#hangs = word === 'interrupt' || word === 'crash'
    if (word === 'fork') {
      // Back to the end of the first turn.
      const first = chat.tree.find(({ message }) => message.role === 'assistant')
      chat.checkout(first?.id ?? '')
      return
    }
    const turn = chat.send(word)
    for await (const event of turn)
      if (event.type === 'tool.executing' && word === 'interrupt') turn.interrupt()
      else if (event.type === 'tool.executing' && word === 'crash') break
    if (word === 'crash') await this.#goOn()
    await expect.poll(() => isFree(this.#driver), { interval: 1 }).toBe(true)
  }
  async #goOn(): Promise<void> {
    await this.#process.life.end('c')
    this.#hangs = false
    this.start()
    await this.#process.agent.resume('c')
  }
}

const rows: readonly { readonly words: readonly Word[]; readonly branch: number; readonly conversation: number }[] = [
  { words: ['say'], branch: 11, conversation: 11 },
  { words: ['say', 'say'], branch: 22, conversation: 22 },
  { words: ['call'], branch: 121, conversation: 121 },
  // What a hook had learned before it went back is forgotten on the branch, and nowhere else.
  { words: ['rewind'], branch: 11, conversation: 21 },
  { words: ['say', 'rewind'], branch: 22, conversation: 32 },
  { words: ['say', 'say', 'fork'], branch: 11, conversation: 22 },
  { words: ['say', 'call', 'fork'], branch: 11, conversation: 132 },
  // An edit leaves the path behind, not what was learned on it.
  { words: ['edit'], branch: 11, conversation: 11 },
  { words: ['say', 'edit'], branch: 22, conversation: 22 },
  // After hooks run behind an interrupt: what they learn is kept.
  { words: ['interrupt'], branch: 101, conversation: 101 },
  { words: ['say', 'interrupt', 'say'], branch: 123, conversation: 123 },
  // Each hook that had finished has counted once.
  { words: ['crash'], branch: 121, conversation: 121 },
  { words: ['say', 'crash', 'say'], branch: 143, conversation: 143 },
  { words: ['crash', 'rewind', 'crash'], branch: 253, conversation: 263 },
]

const stores: Record<string, () => Driver> = {
  memory: () => memoryStore().driver,
  SQLite: () => sqliteStore(':memory:').driver,
}

async function foundAfter(words: readonly Word[], driver: Driver, scope: Scope, restarts: boolean): Promise<number> {
  const world = new World(driver, scope)
  for (const word of words) {
    await world.do(word)
    if (restarts && word !== 'fork') world.start()
  }
  await world.do('say')
  return world.found
}

describe.each(Object.entries(stores))('%s', (_name, make) => {
  describe.each([
    { how: 'in one process', restarts: false },
    { how: 'each in a process of its own', restarts: true },
  ])('$how', ({ restarts }) => {
    test.each(rows)('after $words a branch has $branch, the conversation $conversation, a turn nothing', async row => {
      const { words, branch, conversation } = row
      expect(await foundAfter(words, make(), 'turn', restarts)).toBe(0)
      expect(await foundAfter(words, make(), 'branch', restarts)).toBe(branch)
      expect(await foundAfter(words, make(), 'conversation', restarts)).toBe(conversation)
    })
  })
})
