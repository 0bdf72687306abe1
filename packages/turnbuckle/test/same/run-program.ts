import type { Turn } from 'turnbuckle'
import type { Driver, LogRecord, Replayed } from 'turnbuckle/stores'
import type { Library } from './library.ts'
import { type Life, refusal } from './life.ts'
import type { Place } from './places.ts'
import { begin, type Ground, type Mortal, mortally, Stage } from './play.ts'
import type { Program } from './program.ts'
import { canonical, Recording } from './recording.ts'
import { World } from './world.ts'

/** Which version plays which life of a program, from 1 on. */
export type Cast = (life: number) => Library

/** Runs a program to its end. Gives all that could be seen of it, a line each. */
export async function runProgram(program: Program, cast: Cast, place: Place | undefined): Promise<string[]> {
  const world = new World()
  const recording = new Recording(world)
  const uninstall = world.install()
  const unhandled = (error: unknown) => recording.say('result', `unhandled ${refusal(error)}`)
  process.on('unhandledRejection', unhandled)
  try {
    await playLives(program, cast, place, world, recording)
  } catch (error) {
    recording.say('person', `program refused ${refusal(error)}`)
  } finally {
    await world.rest()
    uninstall()
    process.off('unhandledRejection', unhandled)
    await place?.close()
  }
  return canonical(recording.lines, program.store !== 'none')
}

async function playLives(
  program: Program,
  cast: Cast,
  place: Place | undefined,
  world: World,
  recording: Recording,
): Promise<void> {
  let turn = 0
  for (let number = 1; ; number++) {
    const library = cast(number)
    const driver = place?.open(library).driver
    const ground: Ground = { library, program, world, recording, driver }
    const { life, mortal }: Mortal = mortally(ground, program.crashes[number - 1], number)
    const stage = new Stage(ground, life)
    if (number === 1) await beginFirst(stage)
    else await resume(stage)
    for (; turn < program.turns.length && !life.dead; turn++) {
      const plan = program.turns[turn]
      if (plan) await stage.send(plan)
    }
    if (!life.dead) return finish(life, driver)
    await world.rest()
    world.forget()
    mortal?.end()
    // The number of events in the store is not compared: it tells why two versions part after a crash.
    recording.say('person', `died\t${await countEvents(driver)}`)
  }
}

async function countEvents(driver: Driver | undefined): Promise<number> {
  let count = 0
  for (const { seq } of (await driver?.list({ limit: 100 })) ?? []) count += seq
  return count
}

/** In every fifth program a person interrupts the turn soon after it is resumed. */
function interruptSoon({ program: { seed }, world }: Life, turn: Turn): void {
  if (seed % 5 === 0) world.after(seed % 2 ? 1 + (seed % 400) : 0, () => turn.interrupt('on resume'))
}

/** A store that answers later has to be asked first; its conversations have no history of their own. */
async function beginFirst(stage: Stage): Promise<void> {
  const { life } = stage
  if (life.program.store === 'later') stage.open(await driven(life.world, life.agent.open('c')))
  else begin(stage)
}

async function resume(stage: Stage): Promise<void> {
  const { life } = stage
  const chat = await driven(life.world, life.agent.open('c'))
  stage.open(chat)
  await driven(life.world, chat.load())
  for (const id of chat.unfinished) life.say('result', 'unfinished', [id, chat.partial(id), chat.told(id)])
  life.say('result', 'waiting', chat.requests)
  if (life.program.seed % 2) await answerWaiting(life)
  for (let i = 0; i < 4 && !life.dead; i++) {
    const turn = life.agent.resume('c')
    if (!turn) return
    interruptSoon(life, turn)
    await stage.run(turn, chat)
  }
}

/** People answer what a dead process has asked, before anybody goes on with it; a second answer is refused. */
async function answerWaiting(life: Life): Promise<void> {
  const { chat, world } = life
  for (const { id, kind } of [...chat.requests, ...chat.requests])
    try {
      const answer = kind === 'outcome' ? { outcome: 'not' } : { decision: 'allow', x: 2 }
      const kept = chat.answer(id, answer)
      if (kept) await driven(world, kept)
    } catch (error) {
      life.say('person', `answer refused ${refusal(error)}`)
    }
}

/** Lets time pass until the promise is settled. */
async function driven<Value>(world: World, promise: Promise<Value>): Promise<Value> {
  let settled = false
  const done = () => {
    settled = true
  }
  promise.then(done, done)
  await world.rest()
  while (!settled && (await world.step()));
  if (!settled) throw new Error('It never ends.')
  return promise
}

async function finish(life: Life, driver: Driver | undefined): Promise<void> {
  const { chat, agent, world } = life
  life.onPoint = () => {}
  await driven(world, chat.load())
  life.say('result', 'tree', chat.tree)
  const { title, head } = chat
  life.say('result', 'conversation', { title, head, requests: chat.requests, unfinished: chat.unfinished })
  life.say('result', 'middleware', agent.middleware)
  const parents = new Set(chat.tree.map(({ parentId }) => parentId))
  const leaves = chat.tree.filter(({ id }) => !parents.has(id))
  for (const { id } of leaves) life.say('result', `branch ${id}`, chat.fork(id).messages)
  // Turns that a hook has left behind end together, in no particular order.
  life.quiet = true
  try {
    await driven(world, agent.close())
  } catch (error) {
    life.say('store', `close ${refusal(error)}`)
  }
  await world.rest()
  if (driver) await tellStore(life, driver)
  if (driver && life.program.seed % 4 === 0) await driven(world, tellMore(life, driver))
}

/**
 * All that the store has afterwards, without the private notes of the log: a commit takes those that happen to wait, so
 * their number, and with it every `n`, follows from how many microtasks a version takes. `n` is a cursor: it rises.
 */
async function tellStore(life: Life, driver: Driver): Promise<void> {
  for (const { n, caller: _caller, ...row } of await driver.list({ limit: 100 })) {
    const { id } = row
    life.say('store', 'row', row)
    sayEvents(life, 'event', await driver.records(id, { after: 0 }), n)
    for (const node of await driver.nodes(id)) life.say('store', 'node', node)
    life.say('store', 'states', await driver.states(id))
    life.say('store', 'requests', await driver.requests({ conversation: id }))
    for (const turn of await driver.turns({ conversation: id })) {
      life.say('store', 'turn', turn)
      sayEvents(life, 'record', await driver.records(id, { turn: turn.id }), n)
    }
  }
}

function sayEvents(life: Life, what: string, records: readonly LogRecord[], last: number): void {
  const places = [0, ...records.map(({ n }) => n), last + 1]
  if (places.some((n, i) => n <= (places[i - 1] ?? -1))) life.say('store', `${what}s are not in order`, places)
  for (const { n, ...event } of records) if (event.seq !== undefined) life.say('store', what, event)
}

/** Searches, exports, imports and replays what the store has of the conversation. */
async function tellMore(life: Life, driver: Driver): Promise<void> {
  const { createStore, exportConversation, importConversation, replay } = life.library.stores
  const store = createStore(driver)
  const use = life.program.seed % 8 ? [life.library.ready.stepLimit(1)] : []
  const { head } = (await store.conversation('c')) ?? {}
  life.say('store', 'found', await store.search({ text: 'said' }))
  if (head) life.say('store', 'path', await store.path('c', head, 3))
  for (const { id, status } of await store.turns({ conversation: 'c' })) {
    life.say('store', `decisions ${id}`, await store.decisions('c', id))
    if (status === 'open') continue
    const replaying = replay(store, { id, conversation: 'c' }, { use })
    await replaying.then(
      replayed => tellReplay(life, replayed),
      error => life.say('store', `not replayed ${refusal(error)}`),
    )
  }
  if (!head) return
  life.say('store', 'exported', [await exportConversation(store, 'c', 'md')])
  try {
    await importConversation(store, await exportConversation(store, 'c'), { id: 'imported' })
    life.say('store', 'imported', await store.nodes('imported'))
  } catch (error) {
    life.say('store', `not imported ${refusal(error)}`)
  }
}

/**
 * Leaves out what earlier versions did not tell. Calls of a batch that an interrupt or the end of the record cuts off in a replay get
 * their results in no particular order.
 */
function tellReplay(life: Life, { result, usage: _usage, texts, unverified, ...replayed }: Replayed): void {
  const { messages, usage: _used, ...rest } = result
  life.say('store', 'replayed', {
    ...replayed,
    ...(replayed.divergence || result.status === 'interrupted' ? rest : { ...rest, messages }),
  })
}
