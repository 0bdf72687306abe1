import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createAgent, middleware, tool } from 'turnbuckle'
import {
  type Commit,
  type ConversationStore,
  createStore,
  type Driver,
  memoryStore,
  sqliteStore,
} from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { bundleProgram } from '../bundle-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-writers-'))
let child = ''
beforeAll(async () => {
  child = await bundleProgram(new URL('lease-child.ts', import.meta.url), 'lease-child')
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(child, { force: true })
})
afterEach(() => void vi.useRealTimers())

const makers: Record<string, () => Driver> = {
  memory: () => memoryStore().driver,
  SQLite: () => sqliteStore(':memory:').driver,
}

function gate() {
  let open = () => {}
  const passed = new Promise<void>(resolve => {
    open = resolve
  })
  return { passed, open: () => open() }
}

/** A turn whose call lasts until the gate is opened. */
async function longTurn(store: ConversationStore) {
  const { passed, open } = gate()
  const wait = tool({ name: 'wait', run: () => passed })
  const model = scriptedModel([{ calls: [{ name: 'wait', args: {} }] }, 'Done.'])
  const turn = createAgent({ model, tools: [wait], store })
    .conversation('c')
    .send('Go.')
  for await (const event of turn) if (event.type === 'tool.executing') break
  return { turn, open }
}

const tryToSend = (driver: Driver) => {
  const agent = createAgent({ model: scriptedModel(['Me.']), store: createStore(driver, { waitMs: 0 }) })
  return agent.conversation('c').fork(null).send('Me too.').settled
}

/** Time goes on while it is awaited. */
async function passing<Value>(awaited: Promise<Value>): Promise<Value> {
  await vi.advanceTimersByTimeAsync(100)
  return awaited
}

const moments = [
  { moment: 'while the model replies', at: 'model 0', ran: [], asked: 1, later: false },
  { moment: 'while the first of two calls runs, one after the other', at: 'a', ran: ['a'], asked: 1, later: false },
  { moment: 'while the second of them runs', at: 'b', ran: ['a', 'b'], asked: 1, later: false },
  { moment: 'while the model replies again', at: 'model 1', ran: ['a', 'b'], asked: 2, later: false },
]

/** A driver that takes its time to commit, as one on a network does. */
const slowly = (driver: Driver): Driver =>
  new Proxy(driver, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (name === 'commit')
        return async (commit: Commit) => {
          await new Promise(resolve => setImmediate(resolve))
          return target.commit(commit)
        }
      return typeof member === 'function' ? member.bind(target) : member
    },
  })

describe.each(Object.entries(makers))('one writer, on %s', (_name, make) => {
  test('a turn of an hour keeps its lease; when it is over another may write', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
    const driver = make()
    const { turn, open } = await longTurn(createStore(driver))
    for (let minute = 0; minute < 60; minute++) {
      await vi.advanceTimersByTimeAsync(60_000)
      if (minute % 20 === 0)
        expect(await passing(tryToSend(driver))).toMatchObject({ error: { code: 'conversation.locked' } })
    }
    open()
    expect((await passing(turn.settled)).status).toBe('completed')
    expect(await passing(tryToSend(driver))).toMatchObject({ status: 'completed' })
  })

  test('two agents of one process with one store wait for each other, too', async () => {
    const store = createStore(make(), { waitMs: 0 })
    const { turn, open } = await longTurn(store)
    const other = createAgent({ model: scriptedModel(['Me.'], { repeat: true }), store })
      .conversation('c')
      .fork(null)
    expect(await other.send('Me too.').settled).toMatchObject({ error: { code: 'conversation.locked' } })
    open()
    expect((await turn.settled).status).toBe('completed')
    expect(await other.send('Me too.').settled).toMatchObject({ status: 'completed' })
  })

  test('two that become its writer in the same moment do it one after the other', async () => {
    const store = createStore(slowly(make()))
    const agents = ['One.', 'Two.'].map(text => createAgent({ model: scriptedModel([text]), store }))
    const turns = agents.map(agent => agent.conversation('c').send('Me.').settled)
    expect((await Promise.all(turns)).map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect((await store.nodes('c')).length).toBe(4)
  })

  test('one that sleeps past its lease is taken over, and finds out when it wakes up: nothing more is done', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
    const driver = make()
    // Its renewals do not get through: the machine sleeps.
    const asleep = new Proxy(driver, {
      get(target, name) {
        const member = Reflect.get(target, name)
        if (name === 'renew') return () => new Promise(() => {})
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const { turn, open } = await longTurn(createStore(asleep))
    await vi.advanceTimersByTimeAsync(11_000)
    expect(await passing(tryToSend(driver))).toMatchObject({ status: 'completed' })
    const before = await createStore(driver).events('c')
    open()
    const result = await passing(turn.settled)
    expect(result).toMatchObject({ status: 'failed', by: 'store', error: { code: 'store.fenced' } })
    expect(await createStore(driver).events('c')).toEqual(before)
  })

  test.each(
    moments.flatMap(each => [each, { ...each, moment: `${each.moment}, of a store that answers later`, later: true }]),
  )('taken over $moment, it does nothing after that', async ({ at, ran: expected, asked: times, later }) => {
    const driver = make()
    const ran: string[] = []
    let asked = 0
    const reach = (place: string) => {
      if (place === at) takeOver(driver)
    }
    const note = tool<{ line: string }>({
      name: 'note',
      sequential: true,
      async run({ line }) {
        ran.push(line)
        reach(line)
      },
    })
    const calls = (...lines: string[]) => ({ calls: lines.map(line => ({ name: 'note', args: { line } })) })
    const replies = [calls('a', 'b'), calls('c')]
    const model = scriptedModel(
      [
        () => {
          reach(`model ${asked}`)
          return replies[asked++] ?? 'Done.'
        },
      ],
      { repeat: true },
    )
    const agent = createAgent({ model, tools: [note], store: createStore(later ? slowly(driver) : driver) })
    const result = await agent.conversation('c').send('Go.').settled
    expect(result).toMatchObject({ status: 'failed', by: 'store', error: { code: 'store.fenced' } })
    expect(ran).toEqual(expected)
    expect(asked).toBe(times)
  })

  test('one that sleeps between two attempts looks whether it is still the writer before the second', async () => {
    const driver = make()
    let asked = 0
    const model = scriptedModel([
      () => {
        asked++
        throw new Error('busy')
      },
      'Done.',
    ])
    const sleepy = middleware({
      name: 'sleepy',
      async wrapModel(_ctx, next) {
        try {
          return await next()
        } catch {
          takeOver(driver)
          const now = Date.now()
          vi.spyOn(Date, 'now').mockReturnValue(now + 60_000)
          return next()
        }
      },
    })
    const agent = createAgent({ model, use: [sleepy], store: createStore(driver) })
    const result = await agent.conversation('c').send('Go.').settled
    vi.restoreAllMocks()
    expect(result).toMatchObject({ status: 'failed', by: 'store', error: { code: 'store.fenced' } })
    expect(asked).toBe(1)
  })
})

/** Another process has waited until the lease was over. */
function takeOver(driver: Driver): void {
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + 60_000)
  const other = { holder: 'elsewhere/1/x', fence: undefined, leaseMs: 60_000, release: false, records: [] }
  driver.commit({ conversation: 'c', head: undefined, ...other })
  vi.restoreAllMocks()
}

describe('two processes', () => {
  type Holder = ChildProcessByStdio<Writable, Readable, null>
  const hold = async (path: string): Promise<Holder> => {
    const holder = spawn(process.execPath, [child, path], { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(holder.stdout, 'data')
    return holder
  }
  const send = (path: string, waitMs: number) => {
    const store = sqliteStore(path, { waitMs })
    const agent = createAgent({ model: scriptedModel(['Me.']), store })
    return agent.conversation('c').fork(null).send('Me too.').settled
  }

  test('the second waits, and then gets a typed error that names the first', async () => {
    const path = join(folder, 'refused.db')
    const holder = await hold(path)
    const result = await send(path, 60)
    expect(result).toMatchObject({
      status: 'failed',
      by: 'store',
      error: { code: 'conversation.locked', kind: 'store' },
    })
    expect(String(result.error)).toContain(`/${holder.pid}/`)
    holder.stdin.write('go\n')
    await once(holder, 'exit')
  })

  test('the second waits, and goes on when the first lets go', async () => {
    const path = join(folder, 'waits.db')
    const holder = await hold(path)
    const waiting = send(path, 60_000)
    holder.stdin.write('go\n')
    expect(await waiting).toMatchObject({ status: 'completed', text: 'Me.' })
  })

  test('one that was killed is followed at once', async () => {
    const path = join(folder, 'killed.db')
    const holder = await hold(path)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    expect(await send(path, 0)).toMatchObject({ status: 'completed', text: 'Me.' })
  })
})

// Elsewhere nothing tells two machines of one name apart.
test.runIf(process.platform === 'linux')(
  'a process of another container or machine of the same name is not taken for dead: its lease counts',
  async () => {
    const store = sqliteStore(join(folder, 'container.db'), { waitMs: 0 })
    const lease = { conversation: 'c', fence: undefined, leaseMs: 60_000, release: false, records: [], head: undefined }
    await store.driver.commit({ ...lease, holder: `${hostname()}/${2 ** 31 - 2}/x` })
    const turn = createAgent({ model: scriptedModel(['Me.']), store })
      .conversation('c')
      .send('Me.')
    expect((await turn.settled).error).toMatchObject({ code: 'conversation.locked' })
    await store.close()
  },
)

test('a conversation that nobody holds is let go of, and read again when somebody asks', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // A scripted model would keep its prompts, and they the messages.
  const model = {
    id: 'forgetful',
    async *stream() {
      yield { type: 'text', text: 'Hi.' } as const
    },
  }
  const agent = createAgent({ model, store: memoryStore() })
  const held = await (async () => {
    const chat = agent.conversation('idle')
    await chat.send('Hello.')
    return new WeakRef(chat.messages[0] as object)
  })()
  await expect
    .poll(
      () => {
        collect()
        return held.deref() === undefined
      },
      { interval: 1, timeout: 60_000 },
    )
    .toBe(true)
  expect(agent.conversation('idle').messages.length).toBe(2)
})
