import type { Agent, Conversation, Event, NewMessage, Turn } from 'turnbuckle'
import type { Commit, ConversationStore, Driver } from 'turnbuckle/stores'
import type { Library } from './library.ts'
import { Life, refusal } from './life.ts'
import { middlewareOf } from './middleware-of.ts'
import { modelOf, spareModel } from './model-of.ts'
import { type Fate, type MortalStore, mortalStore } from './mortal-store.ts'
import { paces, parallelOf } from './paces.ts'
import { meddle, type Scene } from './people.ts'
import { pipelineOf } from './pipeline-of.ts'
import type { CrashPlan, OwnerPlan, Program, TurnPlan } from './program.ts'
import { readyMade } from './ready-made.ts'
import type { Recording } from './recording.ts'
import { delegate, plainTools, toolNamesOf } from './tools.ts'
import type { World } from './world.ts'

const mostTimers = 3000
const spare: OwnerPlan = { guard: false, priority: 90, watches: 'stages', hooks: [] }
/** The version, program, time and store that a life is made of. */
export interface Ground {
  readonly library: Library
  readonly program: Program
  readonly world: World
  readonly recording: Recording
  readonly driver: Driver | undefined
}

/** The agent of a program, in a life of its own. */
export function createLife(ground: Ground, number: number, store?: ConversationStore): Life {
  const { library, program, world, recording } = ground
  const life = new Life(library, program, world, recording, number)
  const { settings, errors } = program
  const { createAgent } = library.root
  const ids = { next: (kind: string) => `${kind}_${number}_${life.count(`id ${kind}`)}` }
  const own = program.owners.map((plan, i) => middlewareOf(life, plan, `m${i}`))
  const made = [...new Set(program.ready)].flatMap(name => readyMade(name, library, spareModel(life)))
  const kept = store ? { store } : {}
  const below = program.seed % 3 ? [] : [middlewareOf(life, spare, 'below')]
  const names = toolNamesOf(life)
  const tools = plainTools(life, names)
  if (names.includes('delegates')) tools.push(delegate(life, below, program.seed % 4 < 2 ? kept : {}))
  life.spare = () => middlewareOf(life, spare, 'spare')
  life.agent = createAgent({
    model: modelOf(life),
    tools,
    use: [...paces(life), ...own, ...made],
    pipeline: pipelineOf(life),
    errors: Object.fromEntries(errors),
    clock: world.clock,
    ids,
    parallelTools: parallelOf(life),
    ...settings,
    ...kept,
  })
  return life
}

/** Follows a turn by its events, text, promise and result. These readers finish in no particular order, so `tell` tells them together. */
class Following {
  readonly turn: Turn
  readonly #what: string
  readonly #seen: Record<string, unknown> = {}

  constructor(turn: Turn, what: string) {
    this.turn = turn
    this.#what = what
    this.#keep('events', this.#events())
    this.#keep('text', this.#text())
    this.#keep(
      'awaited',
      Promise.resolve(turn).then(({ status }) => status),
    )
    this.#keep('result', turn.settled)
  }

  #keep(name: string, reading: Promise<unknown>): void {
    reading.then(
      value => {
        this.#seen[name] = value
      },
      error => {
        this.#seen[name] = refusal(error)
      },
    )
  }
  async #events(): Promise<string[]> {
    const events: string[] = []
    for await (const event of this.turn) {
      const { type, seq, text } = event as { type: string; seq?: number; text?: unknown }
      // Deltas come in pieces of no particular size; who joins late first gets all the text there is.
      if (/\.text$/.test(type)) events.push(`${type} ${text}`)
      else if (!/delta$/.test(type)) events.push(`${type} ${seq}`)
    }
    return events
  }
  async #text(): Promise<string> {
    let text = ''
    for await (const piece of this.turn.text) text += piece
    return text
  }
  tell(life: Life): void {
    life.say('result', `${this.#what} ${this.turn.id}`, { ...this.#seen, ended: this.turn.ended })
    life.say('result', 'explains', this.turn.explain())
  }
}

function listen(life: Life, chat: Conversation, hear: () => (event: Event) => void): void {
  chat.subscribe({
    event(event) {
      life.say('event', event.type, event, (event as { callId?: string }).callId)
      hear()(event)
    },
    delta: delta => life.say('delta', 'delta', delta),
  })
}

const noOne = () => {}

function messageOf({ text, file }: TurnPlan): string | NewMessage {
  if (!file) return text
  const data = { text: 'aGk=', bytes: new Uint8Array([104, 105]), url: new URL('https://example.org/a.txt') }[file]
  return {
    role: 'user',
    content: [
      { type: 'text', text },
      { type: 'file', mediaType: 'text/plain', data, name: 'a.txt' },
    ],
  }
}

/** Plays turns in one life, and gives when all of them are over or the life is. */
export class Stage {
  readonly life: Life
  readonly #ground: Ground
  #hear: (event: Event) => void = noOne
  #following: Following[] = []

  constructor(ground: Ground, life: Life) {
    this.#ground = ground
    this.life = life
  }

  open(chat: Conversation): void {
    this.life.chat = chat
    listen(this.life, chat, () => this.#hear)
  }

  async send(plan: TurnPlan): Promise<void> {
    const { life } = this
    const controller = new AbortController()
    const chat = await this.#placed(plan)
    if (life.dead) return
    const use = plan.use ? { use: [middlewareOf(life, plan.use, 'once')] } : {}
    try {
      const turn = chat.send(messageOf(plan), {
        signal: controller.signal,
        ...use,
        ...(plan.tag ? { tag: { n: 1 } } : {}),
      })
      await this.run(turn, chat, controller)
    } catch (error) {
      life.say('person', `send refused ${refusal(error)}`)
    }
  }

  async #placed({ place, pick }: TurnPlan): Promise<Conversation> {
    const { chat, world } = this.life
    const nodes = chat.tree
    const id = nodes[pick % Math.max(1, nodes.length)]?.id
    if (place === 'root') return chat.fork(null)
    if (place === 'fork' && id) return chat.fork(id)
    if (place === 'checkout' && id) {
      chat.checkout(id)?.catch(() => {})
      await world.rest()
    }
    return chat
  }

  /** Runs a turn to its end, with people meddling. */
  async run(turn: Turn, chat: Conversation, controller = new AbortController()): Promise<void> {
    const { life } = this
    const scene: Scene = { life, chat, turn, controller, follow: (other, what) => this.#follow(other, what) }
    this.#hear = meddle(scene)
    this.#follow(turn, 'turn')
    await life.world.rest()
    await this.#toEnd()
    this.#hear = noOne
  }
  #follow(turn: Turn, what: string): void {
    this.#following.push(new Following(turn, what))
  }

  /** Timers fire until nothing runs. Where only a person could go on, one answers; at last one interrupts. */
  async #toEnd(): Promise<void> {
    const { life } = this
    const { world } = this.#ground
    let fired = 0
    const isOver = () => life.dead || this.#following.every(({ turn }) => turn.ended)
    for (let answered = 0; !isOver(); ) {
      if (fired < mostTimers && (await world.step())) fired++
      else if (fired < mostTimers && answered++ < 20 && this.#answer()) await world.rest()
      else {
        life.say('person', 'interrupts at last')
        for (const { turn } of this.#following) turn.interrupt('at last')
        await world.rest()
        break
      }
    }
    // Clean-up hooks have a deadline; a tool may come late.
    for (let i = 0; i < 200 && !life.dead && (await world.step()); i++);
    for (const following of this.#following) following.tell(life)
    this.#following = []
  }
  #answer(): boolean {
    const { life } = this
    const [first] = life.chat.requests
    if (!first) return false
    const given =
      first.kind === 'outcome'
        ? { outcome: ['happened', 'not', 'stop'][life.program.seed % 3] }
        : { decision: 'allow', x: 1 }
    try {
      life.chat.answer(first.id, given)?.catch(() => {})
      return true
    } catch (error) {
      life.say('person', `answer refused ${refusal(error)}`)
      return false
    }
  }
}

const histories: Readonly<Record<string, readonly NewMessage[]>> = {
  user: [{ role: 'user', content: 'Before.' }],
  assistant: [{ role: 'assistant', content: 'Said before.' }],
  system: [{ role: 'system', content: 'Be good.' }],
  calls: [
    { role: 'assistant', content: [{ type: 'call', id: 'h1', name: 'ok', args: {} }] },
    { role: 'tool', content: [{ type: 'result', id: 'h1', name: 'ok', status: 'ok', value: 1 }] },
  ],
  open: [{ role: 'assistant', content: [{ type: 'call', id: 'h2', name: 'ok', args: {} }] }],
  orphan: [{ role: 'tool', content: [{ type: 'result', id: 'h3', name: 'ok', status: 'ok', value: 2 }] }],
  named: [{ id: 'mine', role: 'user', content: 'Named.' }],
  file: [{ role: 'user', content: [{ type: 'file', mediaType: 'text/plain', data: new Uint8Array([104, 105]) }] }],
}

/** The conversation of a program, with its history. */
export function begin(stage: Stage): void {
  const { agent, program } = stage.life as { agent: Agent; program: Program }
  const messages = program.history.flatMap(name => histories[name] ?? [])
  stage.open(agent.conversation({ id: 'c', ...(messages.length ? { messages } : {}) }))
}

/** Begins a life that ends at the planned point. */
export function mortally(ground: Ground, crash: CrashPlan | undefined, number: number): Mortal {
  const { library, driver, world } = ground
  let count = 0
  let life: Life | undefined
  const isTime = () => ++count === crash?.n
  const die = () => {
    if (life) life.dead = true
    world.forget()
  }
  const fateOf = ({ records }: Commit): Fate => {
    if (life?.dead) return 'die'
    if (crash?.at !== 'commit' || !records.length || !isTime()) return 'go'
    die()
    return crash.done ? 'die behind it' : 'die'
  }
  const mortal = driver && mortalStore(library, driver, fateOf, ground.program.store === 'later')
  life = createLife(ground, number, mortal?.store)
  life.onPoint = point => {
    if (crash?.at !== point || !isTime()) return
    // Calls beside this one go as far as they can: what of them is in the log by this instant is in no version's hands.
    if (life && point === 'tool') life.dying = true
    if (point === 'tool') world.after(0, die)
    else die()
  }
  if (crash?.at === 'time') world.after(crash.n, die)
  if (crash?.at === 'close') world.after(crash.n, () => void life?.agent.close().then(die, die))
  return { life, mortal }
}

export interface Mortal {
  readonly life: Life
  readonly mortal: MortalStore | undefined
}
