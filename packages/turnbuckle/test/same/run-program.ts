import type { Driver } from 'turnbuckle/stores'
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
    if (number === 1) begin(stage)
    else await resume(stage)
    for (; turn < program.turns.length && !life.dead; turn++) {
      const plan = program.turns[turn]
      if (plan) await stage.send(plan)
    }
    if (!life.dead) return finish(life, driver)
    await world.rest()
    world.forget()
    mortal?.end()
    recording.say('person', 'died')
  }
}

async function resume(stage: Stage): Promise<void> {
  const { life } = stage
  const chat = await driven(life.world, life.agent.open('c'))
  stage.open(chat)
  for (const id of chat.unfinished) life.say('result', 'unfinished', [id, chat.partial(id), chat.told(id)])
  life.say('result', 'waiting', chat.requests)
  for (let i = 0; i < 4 && !life.dead; i++) {
    const turn = life.agent.resume('c')
    if (!turn) return
    await stage.run(turn, chat)
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
  life.say('result', 'tree', chat.tree)
  const { title, head } = chat
  life.say('result', 'conversation', { title, head, requests: chat.requests, unfinished: chat.unfinished })
  life.say('result', 'middleware', agent.middleware)
  const parents = new Set(chat.tree.map(({ parentId }) => parentId))
  const leaves = chat.tree.filter(({ id }) => !parents.has(id))
  for (const { id } of leaves) life.say('result', `branch ${id}`, chat.fork(id).messages)
  try {
    await driven(world, agent.close())
  } catch (error) {
    life.say('result', `close ${refusal(error)}`)
  }
  await world.rest()
  if (driver) await tellStore(life, driver)
}

/** All that the store has afterwards, private notes included: its format is a promise too. */
async function tellStore(life: Life, driver: Driver): Promise<void> {
  for (const row of await driver.list({ limit: 100 })) {
    const { id } = row
    life.say('store', 'row', row)
    for (const record of await driver.records(id, { after: 0 })) life.say('store', 'event', record)
    for (const node of await driver.nodes(id)) life.say('store', 'node', node)
    life.say('store', 'states', await driver.states(id))
    life.say('store', 'requests', await driver.requests({ conversation: id }))
    for (const turn of await driver.turns({ conversation: id })) {
      life.say('store', 'turn', turn)
      for (const record of await driver.records(id, { turn: turn.id })) life.say('store', 'record', record)
    }
  }
}
