import {
  type Agent,
  again,
  block,
  type Context,
  type CreateAgentOptions,
  createAgent,
  type Decision,
  type Directive,
  fail,
  finish,
  goto,
  type Middleware,
  type Model,
  middleware,
  type Pipeline,
  pipeline,
  replace,
  rewind,
  skip,
  stage,
  stop,
  type TurnResult,
  tool,
} from 'turnbuckle'
import { type Commit, createStore, type Driver, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

/**
 * What a finished chain of hooks leaves in the log: whichever commit a process dies at, the hooks that had finished are
 * not run again, and what they said, changed and queued counts as if nothing had happened.
 */

type Hooks = Parameters<typeof middleware>[0]
const hooks = (name: string, given: object): Middleware => middleware({ name, ...given } as Hooks)
const withoutTools = (ctx: Context) => ctx.instruct({ tools: [] }, { for: 'turn' })
/** Gives a directive in the first step only. */
const first = (give: () => Directive) => (ctx: { readonly step: number }) => (ctx.step === 0 ? give() : undefined)

const scenarios: readonly { readonly name: string; readonly use: () => Middleware[] }[] = [
  { name: 'stop with a last word', use: () => [hooks('m', { afterTool: first(() => stop('no', { say: 'Bye.' })) })] },
  { name: 'stop before the tools', use: () => [hooks('m', { beforeTools: first(() => stop('no')) })] },
  { name: 'fail', use: () => [hooks('m', { afterTools: first(() => fail(new Error('Off.'))) })] },
  { name: 'again', use: () => [hooks('m', { afterStep: first(() => again('More.')) })] },
  { name: 'finish', use: () => [hooks('m', { beforeTool: first(() => finish('enough')) })] },
  { name: 'goto decide', use: () => [hooks('m', { afterAppend: first(() => goto('decide')) })] },
  { name: 'goto model', use: () => [hooks('m', { state: 0, afterDetect: jumpOnce })] },
  { name: 'goto model behind the model', use: () => [hooks('m', { state: 0, afterModel: jumpOnce })] },
  { name: 'goto model among the chunks', use: () => [hooks('m', { state: 0, onChunk: atText(jumpOnce) })] },
  { name: 'stop among the chunks', use: () => [hooks('m', { onChunk: atText(() => stop('no', { say: 'Bye.' })) })] },
  { name: 'rewind to a step', use: () => [hooks('m', { state: 0, afterTools: backOnce })] },
  { name: 'rewind to a snapshot', use: () => [hooks('m', { state: 0, ...toSnapshot })] },
  { name: 'rewind to the empty history', use: () => [hooks('m', { state: 0, ...toBeginning })] },
  { name: 'skip the calls', use: () => [hooks('m', { beforeTool: first(() => skip('cached')) })] },
  { name: 'block the calls', use: () => [hooks('m', { beforeTool: () => block('not here') })] },
  { name: 'skip the batch', use: () => [hooks('m', { beforeTools: () => skip() })] },
  { name: 'a ready reply', use: () => [hooks('m', { beforeModel: first(() => skip('Ready.')) })] },
  { name: 'another reply', use: () => [hooks('m', { afterModel: first(() => replace('Instead.')) })] },
  {
    name: 'other calls',
    use: () => [hooks('m', { beforeDetect: first(() => skip([{ id: 'x', name: 'note', args: {} }])) })],
  },
  { name: 'another result', use: () => [hooks('m', { afterTool: () => replace('hidden') })] },
  { name: 'another result of recording', use: () => [hooks('m', { afterAppend: () => replace('recorded') })] },
  { name: 'another message', use: () => [hooks('m', { beforeAppend: redact })] },
  { name: 'another call', use: () => [hooks('m', { beforeTool: rename })] },
  { name: 'another prompt', use: () => [hooks('m', { beforeModel: shorten })] },
  { name: 'tools given for the turn', use: () => [hooks('m', { beforeTurn: withoutTools })] },
  { name: 'tools taken away before the model', use: () => [hooks('m', { beforeModel: withoutNote })] },
  { name: 'tools taken away around the model', use: () => [hooks('m', { wrapModel: aroundWithoutNote })] },
  {
    name: 'tools taken away, and a hook at each call',
    use: () => [hooks('m', { beforeModel: withoutNote, beforeTool: () => undefined, afterTool: () => undefined })],
  },
  { name: 'shared values and instructions', use: () => [hooks('m', passing)] },
  {
    name: 'wraps',
    use: () => [hooks('m', { wrapTool: passOn, wrapModel: passOn, wrapStep: passOn, wrapTurn: passOn })],
  },
]

type Any = never
function jumpOnce(ctx: Any): Directive | undefined {
  const { state, update } = ctx as { state: number; update(change: () => number): void }
  if (state) return undefined
  update.call(ctx, () => 1)
  return goto('model')
}
function backOnce(ctx: Any): Directive | undefined {
  return jumpOnce(ctx) && rewind(0, 'Once more.')
}
const toSnapshot = {
  beforeTools: (ctx: { shared: { set(key: string, value: unknown): void }; snapshot(): unknown }) =>
    ctx.shared.set('here', ctx.snapshot()),
  afterTool: (ctx: { shared: { get(key: string): unknown } }) =>
    jumpOnce(ctx as Any) && rewind(ctx.shared.get('here') as Any, 'From here.'),
}
const toBeginning = { beforeTurn: toSnapshot.beforeTools, afterTool: toSnapshot.afterTool }
const atText = (give: (ctx: Any) => Directive | undefined) => (chunk: { readonly type: string }, ctx: Any) =>
  chunk.type === 'text' ? give(ctx) : undefined
const redact = (ctx: { message: { role: string; content: readonly { type: string }[] } }): void => {
  if (ctx.message.role !== 'tool') return
  ctx.message = {
    ...ctx.message,
    content: ctx.message.content.map(part => (part.type === 'result' ? { ...part, value: '***' } : part)),
  }
}
const rename = (ctx: { call: { args: unknown } }): void => {
  ctx.call = { ...ctx.call, args: { line: 'changed' } }
}
const shorten = (ctx: { prompt: { messages: readonly unknown[]; tools: readonly unknown[] } }): void => {
  ctx.prompt = { ...ctx.prompt, messages: ctx.prompt.messages.slice(-3), tools: [...ctx.prompt.tools] }
}
interface Offering {
  prompt: { tools: readonly { readonly name: string }[] }
}
const withoutNote = (ctx: Offering): void => {
  ctx.prompt = { ...ctx.prompt, tools: ctx.prompt.tools.filter(({ name }) => name !== 'note') }
}
const aroundWithoutNote = ({ prompt }: Offering, next: (prompt: unknown) => unknown): unknown =>
  next({ ...prompt, tools: [] })
const passing = {
  beforeTool: (ctx: {
    shared: { set(key: string, value: unknown): void }
    instruct(text: string, options?: object): void
  }) => {
    ctx.shared.set('seen', true)
    ctx.instruct('Be short.', { for: 'turn' })
    ctx.instruct('Just now.')
  },
  afterStep: (ctx: { step: number; shared: { get(key: string): unknown } }) =>
    ctx.step === 1 && !ctx.shared.get('seen') ? fail(new Error('A shared value was lost.')) : undefined,
}
const passOn = (_ctx: unknown, next: () => unknown): unknown => next()

interface Ended {
  readonly tree: unknown
  readonly result: Pick<TurnResult, 'status' | 'reason' | 'by' | 'text' | 'steps'>
  readonly decisions: readonly Decision[]
  readonly prompts: readonly string[]
  readonly commits: number
}

/** What the model says depends on the path alone, so it is the same after a crash. */
function agentOn(driver: Driver, use: readonly Middleware[], prompts: string[], more: More = {}): Agent {
  const model = scriptedModel(
    [
      ({ messages, instructions }) => {
        const said = messages.filter(({ role }) => role === 'assistant').length
        prompts.push(`${messages.map(({ id }) => id).join()}: ${instructions}`)
        const usage = { inputTokens: messages.length, outputTokens: 1, cost: 1 }
        return said === 0 ? { text: 'Hm.', calls: [call('a'), call('b')], usage } : { text: `Done ${said}.`, usage }
      },
    ],
    { repeat: true },
  )
  const note = tool({ name: 'note', idempotent: true, run: args => args })
  let made = 0
  const ids = { next: (kind: string) => `${kind}_${++made}` }
  return createAgent({
    model,
    tools: [note],
    use,
    ids,
    breaker: false,
    store: createStore(driver, { leaseMs: 0 }),
    ...more,
  })
}
type More = Partial<CreateAgentOptions>
const call = (line: string) => ({ name: 'note', args: { line }, id: `call_${line}` })

/** The driver of a process that dies at a commit, before or after it was done. */
function dyingAt(driver: Driver, at: number, done: boolean) {
  let commits = 0
  let died = () => {}
  const death = new Promise<void>(resolve => {
    died = resolve
  })
  const dying: Driver = new Proxy(driver, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member
      return (given: Commit) => {
        if (given.records.length) commits++
        if (commits < at) return target.commit(given)
        if (commits === at && done) target.commit(given)
        died()
        return new Promise(() => {})
      }
    },
  })
  return { driver: dying, death, commits: () => commits }
}

/** Dies at a commit (0: does not die), is resumed by another process, and ends. */
async function run(make: () => Middleware[], at: number, done: boolean, more: More = {}): Promise<Ended> {
  const { driver } = memoryStore()
  const prompts: string[] = []
  const dying = dyingAt(driver, at || Infinity, done)
  let turn = agentOn(dying.driver, make(), prompts, more).conversation('c').send('Go.')
  await Promise.race([turn.settled, dying.death])
  const after = agentOn(driver, make(), prompts, more)
  if (at) {
    // What the dead process still has in hand comes to nothing.
    for (let i = 0; i < 20; i++) await new Promise<void>(resolve => setImmediate(resolve))
    turn = after.resume('c') ?? turn
  }
  const { status, reason, by, text, steps } = await turn.settled
  const tree = after
    .conversation('c')
    .tree.map(({ id, parentId, message, usage }) => ({ id, parentId, message, usage }))
  return {
    tree,
    result: { status, reason, by, text, steps },
    decisions: turn.explain(),
    prompts,
    commits: dying.commits(),
  }
}

describe('whichever commit the process dies at, it ends the same', () => {
  test.each(scenarios)('$name', async ({ use }) => {
    const undisturbed = await run(use, 0, false)
    expect(undisturbed.commits).toBeGreaterThan(1)
    // The first commit begins the turn: before it there is nothing to resume.
    for (let at = 2; at <= undisturbed.commits; at++)
      for (const done of [false, true]) {
        if (done && at === undisturbed.commits) continue
        const { tree, result, decisions, prompts } = await run(use, at, done)
        const where = `at commit ${at}, ${done ? 'done' : 'not done'}`
        expect(tree, where).toEqual(undisturbed.tree)
        expect(result, where).toEqual(undisturbed.result)
        expect(decisions, where).toEqual(undisturbed.decisions)
        expect(new Set(prompts), where).toEqual(new Set(undisturbed.prompts))
      }
  })
})

describe('a reply that was cut at its length, whichever commit the process dies at', () => {
  const cut = () =>
    scriptedModel(
      [
        ({ messages }) =>
          messages.some(({ role }) => role === 'tool')
            ? 'Done.'
            : { text: 'Hm.', calls: [call('a'), call('b')], finish: 'length' },
      ],
      { repeat: true },
    )
  test.each([
    { where: 'no hooks', use: () => [] },
    { where: 'hooks at the model', use: () => [hooks('m', { beforeModel: () => undefined })] },
    { where: 'hooks at the calls', use: () => [hooks('m', { beforeTool: () => undefined })] },
  ])('the call that it ends with does not run: $where', async ({ use }) => {
    const ran: unknown[] = []
    const tools = [tool({ name: 'note', idempotent: true, run: args => void ran.push(args) })]
    const lives = (at: number, done: boolean) => run(use, at, done, { model: cut(), tools })
    const { commits, tree, result } = await lives(0, false)
    for (let at = 2; at < commits; at++)
      for (const done of [false, true]) expect(await lives(at, done)).toMatchObject({ tree, result })
    expect(ran).not.toContainEqual({ line: 'b' })
    expect(ran).toContainEqual({ line: 'a' })
  })
})

test('on each branch that a rewind makes a call has a result of its own', async () => {
  const store = sqliteStore(':memory:')
  const agent = agentOn(store.driver, [hooks('m', { state: 0, ...toSnapshot })], [])
  const chat = agent.conversation('c')
  expect(await chat.send('Go.').settled).toMatchObject({ status: 'completed' })
  const ids = chat.tree.map(({ id }) => id)
  expect(ids.filter(id => id.includes('call_a'))).toEqual(['turn_1.s0.call_a', 'turn_1.s0.call_a~1'])
  expect((await store.nodes('c')).map(({ id }) => id)).toEqual(ids)
  expect(checkHistory(chat.messages)).toEqual([])
})

describe('a turn that was handed to another pipeline is resumed in it', () => {
  const strict = () =>
    pipeline().after('model', stage({ name: 'mark', run: ctx => void ctx.shared.set('vetted', true) }))
  type Shares = { status: string; shared: { get(key: string): unknown } }
  const vetted = (events: string[], to: Pipeline) => [
    hooks('m', {
      afterTool: first(() => goto(to)),
      afterTurn: (ctx: Shares) => void events.push(`${ctx.status} ${ctx.shared.get('vetted')}`),
    }),
  ]

  test('by its name', async () => {
    const own = strict()
    const seen: string[] = []
    const lives = (at: number, dies: boolean) => run(() => vetted(seen, own), at, dies, { pipelines: { strict: own } })
    const { commits } = await lives(0, false)
    for (let at = 2; at < commits; at++) expect((await lives(at, true)).result).toMatchObject({ status: 'completed' })
    // The process that died hears of an interrupt.
    expect(seen.filter(line => !line.startsWith('interrupted'))).toEqual(Array(commits - 1).fill('done true'))
  })
  test('or is not handed over at all where the agent has no name for it: the error says what to do', async () => {
    const failures: string[] = []
    const hand = middleware({
      name: 'hand',
      afterTool: () => goto(pipeline()),
      onEvent: event => void (event.type === 'hook.failed' && failures.push(event.error)),
    })
    const model = scriptedModel([{ calls: [{ name: 'note' }] }, 'Done.'])
    const tools = [tool({ name: 'note', run: () => 'noted' })]
    const { status, text } = await createAgent({ model, tools, use: [hand], store: memoryStore() }).send('Go.')
    expect({ status, text }).toEqual({ status: 'completed', text: 'Done.' })
    expect(failures).toEqual([expect.stringContaining('createAgent({ pipelines: { name: pipeline } })')])
  })
})

test('a turn that is interrupted as soon as it is resumed ends where the log ends, with a valid history', async () => {
  const use = () => [hooks('m', { afterTool: () => undefined })]
  const { commits } = await run(use, 0, false)
  const kept = new Set<number>()
  for (let at = 2; at < commits; at++) {
    const { driver } = memoryStore()
    const dying = dyingAt(driver, at, true)
    agentOn(dying.driver, use(), []).conversation('c').send('Go.')
    await dying.death
    const turn = agentOn(driver, use(), []).resume('c')
    if (!turn) throw new Error('There is nothing to resume.')
    turn.interrupt()
    const { status, messages } = await turn.settled
    expect(status).toBe('interrupted')
    expect(checkHistory(messages)).toEqual([])
    const parts = messages.flatMap(({ content }) => content)
    kept.add(parts.filter(part => part.type === 'result' && part.status === 'ok').length)
  }
  expect(Math.max(...kept)).toBe(2)
})

test('the model that a hook chose for a call is the one that is asked when the turn is resumed', async () => {
  const store = memoryStore()
  const hangs: Model = {
    id: 'chosen',
    async *stream() {
      yield { type: 'text', text: 'Hal' }
      await new Promise(() => {})
    },
  }
  const choosing = (model: Model) =>
    createAgent({
      model: scriptedModel(['The usual.']),
      store,
      use: [
        middleware({
          name: 'chooses',
          beforeModel(ctx) {
            ctx.prompt.model = model
          },
        }),
      ],
    })
  const before = choosing(hangs)
  const turn = before.conversation('c').send('Go.')
  for await (const text of turn.text) if (text) break
  await before.close()
  expect((await choosing(scriptedModel(['Chosen.'])).resume('c'))?.text).toBe('Chosen.')
})

type Store = NonNullable<CreateAgentOptions['store']>

describe('a store that answers later', () => {
  const later = (): Store => {
    const store = memoryStore()
    return { attach: async thread => store.attach(thread) }
  }
  const model = () => scriptedModel([{ text: 'Hm.', calls: [call('a')] }, 'Done.', 'Again.'])
  const note = tool({ name: 'note', run: args => args })

  test('keeps what is said before it is there, in order', async () => {
    const chat = createAgent({ model: model(), tools: [note], store: later() }).conversation()
    const seen: number[] = []
    chat.subscribe(({ seq }) => void (seq && seen.push(seq)))
    const turn = chat.send('Go.')
    turn.interject('Also this.')
    const { status, messages } = await turn
    expect(status).toBe('completed')
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
    expect(seen).toEqual(seen.map((_, i) => i + 1))
    expect(chat.tree.map(({ id }) => id)).toEqual(chat.messages.map(({ id }) => id))
    expect(await chat.lastEnd()).toMatchObject({ type: 'turn.completed', text: 'Done.' })
    expect((await chat.send('On.')).text).toBe('Again.')
    chat.delete()
    expect(() => chat.send('Off.')).toThrow(/was deleted/)
  })

  test('an interrupt before it is there ends the turn', async () => {
    const turn = createAgent({ model: model(), tools: [note], store: later() }).send('Go.')
    turn.interrupt('no')
    expect(await turn).toMatchObject({ status: 'interrupted', reason: 'no', steps: 0 })
  })

  test('one that cannot be reached fails the turn, and every later one', async () => {
    const store: Store = { attach: () => Promise.reject(new Error('No route.')) }
    const chat = createAgent({ model: model(), store }).conversation()
    for (let i = 0; i < 2; i++)
      expect(await chat.send('Go.').settled).toMatchObject({ status: 'failed', by: 'store', reason: 'No route.' })
  })

  test('a conversation that is named has to be read first', async () => {
    const agent = createAgent({ model: model(), tools: [note], store: later() })
    expect(() => agent.conversation('c')).toThrow(/await agent.open/)
    const chat = await agent.open('c')
    await chat.send('Go.')
    expect((await agent.open('c')).messages).toEqual(chat.messages)
  })
})
