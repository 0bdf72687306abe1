import {
  block,
  type CreateAgentOptions,
  createAgent,
  finish,
  type Middleware,
  middleware,
  pipeline,
  replace,
  stage,
  tool,
} from 'turnbuckle'
import { type Commit, createStore, type Driver, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test, vi } from 'vitest'

// The holes that sank earlier designs, each by its name.

/** A hook whose name is worked out. */
type Definition = Parameters<typeof middleware>[0]
const ran: unknown[] = []
const danger = tool({ name: 'danger', run: args => void ran.push(args) })
const callsDanger = (...args: unknown[]) =>
  scriptedModel([{ calls: args.map(a => ({ name: 'danger', args: a })) }, 'Done'])
const seen = () => ran.splice(0)

test('a finish in front of an approval guard does not bypass it', async () => {
  const approval = middleware({ name: 'approval', guard: true, beforeTool: () => block('not approved') })
  const hasty = middleware({ name: 'hasty', beforeTool: () => finish('enough') })
  const turn = createAgent({ model: callsDanger({}), tools: [danger], use: [hasty, approval] }).send('Go')
  const { status, reason, messages } = await turn
  expect(seen()).toEqual([])
  expect(messages[2]?.content[0]).toMatchObject({ type: 'result', status: 'blocked', value: 'not approved' })
  expect({ status, reason }).toEqual({ status: 'completed', reason: 'enough' })
})

test('a guard at any stage lets a turn go on that it has nothing against', async () => {
  const ponder = stage({ name: 'ponder', run: (_ctx, input) => input })
  for (const name of [...pipeline().names, 'ponder'].filter(name => name !== 'generate')) {
    const hook = `before${name[0]?.toUpperCase()}${name.slice(1)}`
    const seen: string[] = []
    const guard = middleware({ name: 'guard', guard: true, [hook]: () => void seen.push(hook) } as Definition)
    const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Done', 'Again'])
    const look = tool({ name: 'look', run: () => 'seen' })
    const agent = createAgent({ model, tools: [look], use: [guard], pipeline: pipeline().after('append', ponder) })
    const chat = agent.conversation()
    expect(await chat.send('Go')).toMatchObject({ status: 'completed', text: 'Done' })
    expect(await chat.send('On')).toMatchObject({ status: 'completed', text: 'Again' })
    expect(seen).toContain(hook)
  }
})

test.each([
  { name: 'at once', odd: () => replace('no') },
  { name: 'later', odd: async () => replace('no') },
])('an interrupt while the failure of a before hook is told counts before the failure: $name', async ({ odd }) => {
  const ends: unknown[] = []
  const fails = middleware({
    name: 'fails',
    beforeDetect: odd as () => never,
    afterDetect: ({ status }) => void ends.push(status),
    onEvent: ({ type }, { turn }) => (type === 'hook.failed' ? turn.interrupt('enough') : undefined),
  })
  const turn = createAgent({ model: scriptedModel(['Hi']), use: [fails] }).send('Go')
  expect(await turn.settled).toMatchObject({ status: 'interrupted', reason: 'enough' })
  await vi.waitUntil(() => ends.length)
  expect(ends).toEqual(['interrupted'])
  expect(turn.explain()).toEqual([])
})

test('an interrupt while the failure of a guard is told counts before the failure', async () => {
  const ends: unknown[] = []
  const fails = middleware({
    name: 'fails',
    guard: true,
    beforeDetect: (async () => replace('no')) as () => never,
    afterDetect: ({ status }) => void ends.push(status),
    onEvent: ({ type }, { turn }) => (type === 'hook.failed' ? turn.interrupt('enough') : undefined),
  })
  const turn = createAgent({ model: scriptedModel(['Hi']), use: [fails] }).send('Go')
  expect(await turn.settled).toMatchObject({ status: 'interrupted', reason: 'enough' })
  await vi.waitUntil(() => ends.length)
  expect(ends).toEqual(['interrupted'])
})

describe('a call that was refused, and not run, before a process died', () => {
  /** Has `waits` and `danger` called one by one. The process dies when the first one begins. */
  function die(driver: Driver, options: Partial<CreateAgentOptions>): Promise<void> {
    return new Promise(resolve => {
      let dead = false
      const mortal = new Proxy(driver, {
        get(target, name) {
          const member = Reflect.get(target, name)?.bind(target)
          return name === 'commit' ? (given: Commit) => (dead ? new Promise(() => {}) : member(given)) : member
        },
      })
      const run = () => {
        dead = true
        resolve()
        return new Promise<never>(() => {})
      }
      const model = scriptedModel([{ calls: [{ name: 'waits' }, { name: 'danger' }] }])
      const tools = [tool({ name: 'waits', idempotent: true, run }), ...(options.tools ?? [])]
      const store = createStore(mortal, { leaseMs: 0 })
      createAgent({ model, store, parallelTools: 1, ...options, tools })
        .conversation('c')
        .send('Go')
    })
  }
  /** Goes on in a process that has both tools. */
  async function goOn(driver: Driver, use: readonly Middleware[]): Promise<unknown> {
    const tools = [tool({ name: 'waits', idempotent: true, run: () => 'waited' }), danger]
    const store = createStore(driver, { leaseMs: 0 })
    const turn = await createAgent({ model: scriptedModel(['Done']), tools, use, store }).resume('c')
    return turn?.messages[3]?.content[0]
  }

  test('meets the guards when it passes after that', async () => {
    const { driver } = memoryStore()
    const guard = middleware({
      name: 'approval',
      guard: true,
      beforeTool: ({ call: { name } }) => (name === 'danger' ? block('not approved') : undefined),
    })
    await die(driver, { use: [guard] })
    expect(await goOn(driver, [guard])).toMatchObject({ status: 'blocked', value: 'not approved' })
    expect(seen()).toEqual([])
  })

  test('is refused again where a hook had taken its tool out of the prompt', async () => {
    const { driver } = memoryStore()
    const offer = middleware({
      name: 'offer',
      beforeModel(ctx) {
        ctx.prompt.tools = ctx.prompt.tools.filter(({ name }) => name !== 'danger')
      },
    })
    await die(driver, { use: [offer], tools: [danger] })
    expect(await goOn(driver, [offer])).toMatchObject({
      status: 'error',
      value: expect.stringContaining('no tool "danger"'),
    })
    expect(seen()).toEqual([])
  })
})
