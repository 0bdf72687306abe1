import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation, Event, Turn } from 'turnbuckle'
import {
  type Commit,
  type ConversationStore,
  createStore,
  type Driver,
  postgresStore,
  sqliteStore,
} from 'turnbuckle/stores'
import type { Scenario, World } from './scenario.ts'
import { scenarios } from './scenarios.ts'

export type StoreKind = 'sqlite' | 'postgres'

/** Where a process dies: at its `k`-th commit or effect, or after some time. */
export interface Death {
  readonly at: 'commit' | 'effect' | 'time'
  readonly k: number
  readonly phase: 'before' | 'after' | 'told'
}

export interface Job {
  readonly scenario: string
  /** A folder for what outlives the process: witness and acknowledgements. */
  readonly folder: string
  readonly store: { readonly kind: 'sqlite' } | { readonly kind: 'postgres'; readonly url: string }
  readonly death?: Death | undefined
}

export interface Played {
  readonly commits: number
  readonly effects: number
  readonly tree: readonly unknown[]
  readonly events: readonly Event[]
  readonly turns: readonly { readonly id: string; readonly status: string }[]
  /** What middleware keeps for the whole conversation: budgets. */
  readonly states: Readonly<Record<string, unknown>>
  readonly requests: number
  readonly paths: readonly (readonly unknown[])[]
}

const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

/** After whoever waited for the commit has gone on, and before any other commit. */
const hops = (count: number, act: () => void): void => queueMicrotask(count ? () => hops(count - 1, act) : act)

/** Dies at the boundaries it is told to, and counts them. */
class Fate {
  readonly #death: Death | undefined
  commits = 0
  effects = 0

  constructor(death: Death | undefined) {
    this.#death = death
    if (death?.at === 'time') setTimeout(die, death.k)
  }
  meet(at: Death['at'], k: number, phase: Death['phase']): void {
    const death = this.#death
    if (death?.at === at && death.k === k && death.phase === phase) die()
  }

  driver(driver: Driver): Driver {
    return new Proxy(driver, {
      get: (target, name) => {
        const member = Reflect.get(target, name)
        if (name === 'commit') return (commit: Commit) => this.#commit(target, commit)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  }
  #commit(driver: Driver, commit: Commit): ReturnType<Driver['commit']> {
    const k = ++this.commits
    this.meet('commit', k, 'before')
    const done = <Result>(result: Result): Result => {
      this.meet('commit', k, 'after')
      if (this.#death?.phase === 'told') hops(4, () => this.meet('commit', k, 'told'))
      return result
    }
    const writing = driver.commit(commit)
    return writing instanceof Promise ? writing.then(done) : done(writing)
  }
}

const openStore = ({ store, folder }: Job): ConversationStore =>
  store.kind === 'sqlite' ? sqliteStore(join(folder, 'c.db')) : postgresStore(store.url)

function worldOf({ folder }: Job, store: ConversationStore, fate: Fate): World {
  const witness = join(folder, 'witness')
  return {
    store,
    turns: 0,
    happened: line => existsSync(witness) && readFileSync(witness, 'utf8').split('\n').includes(line),
    effect(line) {
      const k = ++fate.effects
      fate.meet('effect', k, 'before')
      const file = openSync(witness, 'a')
      writeSync(file, `${line}\n`)
      fsyncSync(file)
      closeSync(file)
      fate.meet('effect', k, 'after')
    },
    invalid: problem => appendFileSync(join(folder, 'invalid'), `${problem}\n`),
  }
}

/** Plays a scenario to its end, from wherever the log says it is. */
export async function play(job: Job): Promise<Played> {
  const scenario = scenarios.find(({ name }) => name === job.scenario)
  if (!scenario) throw new Error(`No scenario "${job.scenario}".`)
  const fate = new Fate(job.death)
  const inner = openStore(job)
  const store = createStore(fate.driver(inner.driver))
  const world = worldOf(job, store, fate)
  try {
    const agent = scenario.agent(world)
    const first = await agent.open('c')
    const acks = openSync(join(job.folder, 'acks'), 'a')
    first.subscribe(event => {
      writeSync(acks, `${JSON.stringify(event)}\n`)
    })
    for (;;) {
      const before = await store.events('c')
      world.turns = (await store.turns({ conversation: 'c' })).length
      const next = scenario.turns[world.turns]
      const conversation = agent.conversation('c')
      const turn = conversation.unfinished.length ? agent.resume('c') : next?.(conversation)
      if (!turn) break
      await follow(scenario, world, conversation, turn, before)
    }
    closeSync(acks)
    return await report(store, fate)
  } finally {
    await inner.close()
  }
}

async function follow(
  scenario: Scenario,
  world: World,
  conversation: Conversation,
  turn: Turn,
  before: readonly Event[],
): Promise<void> {
  const react = (event: Event) => {
    if (event.turnId === turn.id && !turn.ended) scenario.react?.(event, turn, before)
  }
  for (const event of before) react(event)
  const off = conversation.subscribe(react)
  const person = setInterval(() => {
    for (const { id, kind, payload } of conversation.requests) {
      const { line } = ((payload as { args?: unknown }).args ?? {}) as { line: string }
      const answer =
        kind === 'outcome'
          ? { outcome: world.happened(line) ? 'happened' : 'not' }
          : (scenario.answer?.(kind, payload) ?? { decision: 'allow', scope: 'once' })
      conversation.answer(id, answer)
    }
  }, 1)
  await turn.settled
  clearInterval(person)
  off()
}

async function report(store: ConversationStore, { commits, effects }: Fate): Promise<Played> {
  const nodes = await store.nodes('c')
  const parents = new Set(nodes.map(({ parent }) => parent))
  const leaves = nodes.filter(({ id }) => !parents.has(id))
  const paths = await Promise.all(
    leaves.map(async ({ id }) => (await store.path('c', id)).map(({ message }) => message)),
  )
  const others = (await store.list({ limit: 100 })).filter(({ id }) => id !== 'c')
  const subs = (await Promise.all(others.map(({ id }) => store.nodes(id)))).flat()
  return {
    commits,
    effects,
    tree: [...nodes, ...subs].map(({ id, parent, message, state }) => ({ id, parent, message, state })),
    events: await store.events('c'),
    turns: await store.turns({}),
    states: await store.driver.states('c'),
    requests: (await store.requests()).length,
    paths,
  }
}
