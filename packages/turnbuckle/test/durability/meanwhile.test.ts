import { type CreateAgentOptions, createAgent, middleware, tool } from 'turnbuckle'
import { createStore, type Driver, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

/** Two processes on one conversation: what each does while the other has read something else. */
const later = (driver: Driver): Driver =>
  new Proxy(driver, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? async (...args: unknown[]) => member.apply(target, args) : member
    },
  })

function gate() {
  let open: () => void = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}

const asks = middleware({
  name: 'asks',
  guard: true,
  async beforeTool(ctx) {
    await ctx.ask('permission', ctx.call, { timeout: Infinity })
  },
})
const calls = { calls: [{ name: 'mail', args: {}, id: 'x' }] }

describe.each([
  { name: 'a store that answers at once', of: (driver: Driver) => driver },
  { name: 'a store that answers later', of: later },
])('$name', ({ of }) => {
  const setUp = (options: Partial<CreateAgentOptions> = {}, waitMs = 0) => {
    const driver = of(memoryStore().driver)
    const models = [scriptedModel([calls, 'Sent.']), scriptedModel(['Mine.'])] as const
    const process = (model: (typeof models)[number]) =>
      createAgent({ ...options, model, store: createStore(driver, { waitMs }) })
    return { store: createStore(driver), models, first: process(models[0]), second: process(models[1]) }
  }

  test('a turn that another process has ended is not gone on with', async () => {
    const { open, opened } = gate()
    let sent = 0
    const mail = tool({ name: 'mail', idempotent: true, run: () => opened.then(() => ++sent) })
    const { store, models, first, second } = setUp({ tools: [mail] })
    const turn = (await first.open('c')).send('Mail.')
    for await (const { type } of turn) {
      if (type !== 'tool.executing') continue
      expect((await second.open('c')).unfinished).toEqual([turn.id])
      break
    }
    const stale = await second.open('c')
    open()
    await turn
    const resumed = second.resume('c')
    expect(await resumed?.settled).toMatchObject({ status: 'failed', by: 'store', error: { code: 'turn.ended' } })
    expect([sent, models[1].prompts.length, stale.unfinished]).toEqual([1, 0, []])
    expect((await store.events('c')).at(-1)).toMatchObject({ type: 'turn.completed', turnId: turn.id })
    const now = await second.open('c')
    expect(now.messages).toEqual(first.conversation('c').messages)
    expect((await now.send('On.')).messages.length).toBe(2)
    expect(now.messages.length).toBe(6)
  })

  test('an answer is refused while another process is at work, and the question stays open', async () => {
    const mail = tool({ name: 'mail', run: () => 'ok' })
    const { store, first, second } = setUp({ tools: [mail], use: [asks] })
    const chat = await first.open('c')
    const turn = chat.send('Mail.')
    for await (const event of turn) {
      if (event.type !== 'request.opened') continue
      const other = await second.open('c')
      const answer = { decision: 'allow' }
      await expect(other.answer(event.requestId, answer)).rejects.toMatchObject({ code: 'conversation.locked' })
      expect((await store.requests()).map(({ id }) => id)).toEqual([event.requestId])
      expect(other.requests.map(({ id }) => id)).toEqual([event.requestId])
      expect(chat.answer(event.requestId, answer)).toBe(undefined)
    }
    expect(await turn).toMatchObject({ status: 'completed', text: 'Sent.' })
  })

  test('an answer that comes when another process has gone on is refused, and not in the log', async () => {
    const { store, first, second } = setUp({ tools: [tool({ name: 'mail', run: () => 'ok' })], use: [asks] }, 60_000)
    const turn = (await first.open('c')).send('Mail.')
    for await (const event of turn) {
      if (event.type !== 'request.opened') continue
      const other = await second.open('c')
      const answering = other.answer(event.requestId, { decision: 'allow' })
      expect(() => other.answer(event.requestId, { decision: 'deny' })).toThrow(/answered already/)
      turn.interrupt()
      await expect(answering).rejects.toMatchObject({ code: 'request.expired' })
      expect(() => other.answer(event.requestId, { decision: 'allow' })).toThrow(/There is no request/)
    }
    const types = (await store.events('c')).map(({ type }) => type)
    expect(types).toContain('turn.interrupted')
    expect(types).not.toContain('request.answered')
  })

  test('what is left open is answered, kept, and found by who goes on', async () => {
    const mail = tool({ name: 'mail', run: () => 'ok' })
    const { store, first, second } = setUp({ tools: [mail], use: [asks] })
    const turn = (await first.open('c')).send('Mail.')
    for await (const { type } of turn) if (type === 'request.opened') break
    await first.close()
    const [request] = await store.requests()
    const chat = await second.open('c')
    await chat.answer(request?.id ?? '', { decision: 'allow' })
    expect((await store.events('c')).at(-1)).toMatchObject({ type: 'request.answered', turnId: turn.id })
    expect(await store.requests()).toEqual([])
    expect(await second.resume('c')).toMatchObject({ status: 'completed', text: 'Mine.' })
  })

  test('a title given by who has not seen the last turn does not move the head back', async () => {
    const { store, first, second } = setUp({ tools: [tool({ name: 'mail', run: () => 'ok' })] })
    const chat = await first.open('c')
    const stale = await second.open('c')
    await chat.send('Mail.')
    stale.title = 'Post'
    await expect.poll(async () => (await store.conversation('c'))?.title).toBe('Post')
    expect((await store.conversation('c'))?.head).toBe(chat.head)
    expect((await second.open('c')).messages).toEqual(chat.messages)
  })
})

describe('a conversation that is being read', () => {
  const setUp = (driver: Driver) => {
    const store = createStore(driver)
    return { store, agent: createAgent({ model: scriptedModel(['One.', 'Two.']), store }) }
  }

  test('is the same for all who ask for it meanwhile, and kept in the store', async () => {
    const { store, agent } = setUp(later(memoryStore().driver))
    expect(() => agent.conversation('c')).toThrow(expect.objectContaining({ code: 'conversation.closed' }))
    const [first, second] = await Promise.all([agent.open('c'), agent.open('c')])
    await second.send('Hello.')
    expect((await store.events('c')).at(-1)?.type).toBe('turn.completed')
    expect(agent.conversation('c').messages).toEqual(second.messages)
    expect(first.tree).toEqual(second.tree)
  })

  test('and could not be is read again by who asks next', async () => {
    const driver = later(memoryStore().driver)
    let down = true
    const shaky = new Proxy(driver, {
      get: (target, name: keyof Driver) =>
        down ? () => Promise.reject(new Error('down')) : (target[name] as () => unknown).bind(target),
    })
    const { store, agent } = setUp(shaky)
    await expect(agent.open('c')).rejects.toThrow('down')
    down = false
    await (await agent.open('c')).send('Hello.')
    expect((await store.events('c')).at(-1)?.type).toBe('turn.completed')
  })
})
