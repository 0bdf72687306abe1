import { type CreateAgentOptions, createAgent, type Message, middleware, tool } from 'turnbuckle'
import { createStore, type Driver, memoryStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { mortal } from './mortal-driver.ts'

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
const said = (role: Message['role'], text: string): Message => ({
  id: text,
  role,
  content: [{ type: 'text', text }],
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

  test('a turn that waits for another process has not begun; who opens the conversation meanwhile does not wait', async () => {
    const { open, opened } = gate()
    const mail = tool({ name: 'mail', run: () => opened })
    const { first, second } = setUp({ tools: [mail] }, 60_000)
    const theirs = await first.open('c')
    const turn = theirs.send('Mail.')
    for await (const { type } of turn) if (type === 'tool.executing') break
    const ours = (await second.open('c')).fork(null)
    const waiting = ours.send('Me too.')
    let begun = false
    const began = waiting.began.then(() => {
      begun = true
    })
    theirs.title = 'Mail'
    await theirs.kept()
    const seen = await second.open('c')
    expect([seen.title, begun]).toEqual(['Mail', false])
    open()
    await began
    expect(waiting.ended).toBe(false)
    expect([(await turn).text, (await waiting).text]).toEqual(['Sent.', 'Mine.'])
    await waiting.began
  })

  test('a turn that waits to begin when its conversation is deleted leaves nothing behind', async () => {
    const { open, opened } = gate()
    const mail = tool({ name: 'mail', run: () => opened })
    const { store, first, second } = setUp({ tools: [mail] }, 60_000)
    const turn = (await first.open('c')).send('Mail.')
    for await (const { type } of turn) if (type === 'tool.executing') break
    const ours = (await second.open('c')).fork(null)
    const waiting = ours.send('Me too.')
    await ours.delete()
    expect(await waiting.settled).toMatchObject({ status: 'interrupted', reason: 'the conversation was deleted' })
    open()
    await turn.settled
    expect(await store.conversation('c')).toBeUndefined()
    const anew = (await second.open('c')).send('Again.')
    expect([(await anew).text, (await store.events('c')).length]).toEqual(['Mine.', 5])
  })

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

  test('a turn that could not be resumed while another process was at work can be later', async () => {
    const { open, opened } = gate()
    const mail = tool({ name: 'mail', idempotent: true, run: () => opened })
    const { store, first, second } = setUp({ tools: [mail] })
    const turn = (await first.open('c')).send('Mail.')
    for await (const { type } of turn) if (type === 'tool.executing') break
    expect((await store.conversation('c'))?.held).toBe(true)
    await second.open('c')
    const refused = await second.resume('c')?.settled
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'conversation.locked' } })
    await first.close()
    expect((await store.conversation('c'))?.held).toBe(false)
    open()
    expect(await second.resume('c')).toMatchObject({ status: 'completed', text: 'Mine.' })
  })

  test('an answer goes to the process at work, which takes it before anybody else can', async () => {
    const mail = tool({ name: 'mail', run: () => 'ok' })
    const { store, first, second } = setUp({ tools: [mail], use: [asks] })
    const chat = await first.open('c')
    const turn = chat.send('Mail.')
    for await (const event of turn) {
      if (event.type !== 'request.opened') continue
      const other = await second.open('c')
      const answer = { decision: 'allow' }
      await other.answer(event.requestId, answer)
      expect(await store.requests()).toEqual([])
      expect(other.requests).toEqual([])
      expect(() => chat.answer(event.requestId, answer)).toThrow(/answered already/)
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
      await other.kept()
      expect((await store.conversation('c'))?.held).toBe(false)
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

  test('what is said outside of turns while another process is at work is refused, and taken back', async () => {
    const { open, opened } = gate()
    const { store, first, second } = setUp({ tools: [tool({ name: 'mail', run: () => opened })] })
    const chat = await first.open('c')
    chat.title = 'Post'
    await chat.kept()
    const turn = chat.send('Mail.')
    for await (const { type } of turn) if (type === 'tool.executing') break
    const other = await second.open('c')
    const told: unknown[] = []
    other.subscribe(event => told.push(event))
    const [asked, called] = other.messages
    const locked = { code: 'conversation.locked', kind: 'store' }
    await expect(other.emit({ type: 'my.news' })).rejects.toMatchObject(locked)
    await expect(other.checkout(asked?.id ?? '')).rejects.toMatchObject(locked)
    expect(other.head).toBe(called?.id)
    other.title = 'Letters'
    await expect(other.kept()).rejects.toMatchObject(locked)
    expect(other.title).toBe('Post')
    await other.kept()
    const refused = { type: 'log.refused', code: 'conversation.locked', conversationId: 'c' }
    expect(told).toMatchObject(['my.news', 'head.moved', 'title.changed'].map(event => ({ ...refused, event })))
    open()
    await turn
    expect(JSON.stringify(await store.events('c'))).not.toMatch(/my.news|head.moved|Letters/)
    await other.emit({ type: 'my.news' })
    expect((await store.events('c')).at(-1)?.type).toBe('my.news')
  })

  test('several things that are refused together leave it as it was before the first', async () => {
    const { open, opened } = gate()
    const { first, second } = setUp({ tools: [tool({ name: 'mail', run: () => opened })] })
    const chat = await first.open('c')
    chat.title = 'Post'
    const turn = chat.send('Mail.')
    for await (const { type } of turn) if (type === 'tool.executing') break
    const other = await second.open('c')
    const [asked, called] = other.messages.map(({ id }) => id) as [string, string]
    const branch = other.fork(asked)
    const moves = [other.checkout(asked), other.checkout(called), branch.checkout(called)]
    other.title = 'Letters'
    other.title = 'Parcels'
    await expect(other.kept()).rejects.toMatchObject({ code: 'conversation.locked' })
    expect((await Promise.allSettled(moves)).map(({ status }) => status)).toEqual(moves.map(() => 'rejected'))
    expect([other.title, other.head, branch.head]).toEqual(['Post', called, asked])
    expect(second.conversation('c').head).toBe(called)
    open()
    await turn
  })

  test('a branch from a call that another process works on goes on when that one is done', async () => {
    const { open, opened } = gate()
    const { store, first, second } = setUp({ tools: [tool({ name: 'mail', run: () => opened })] })
    const turn = (await first.open('c')).send('Mail.')
    for await (const { type } of turn) if (type === 'tool.executing') break
    const branch = (await second.open('c')).fork()
    expect(branch.messages.at(-1)?.role).toBe('tool')
    expect(await branch.send('Never mind.').settled).toMatchObject({ error: { code: 'conversation.locked' } })
    open()
    await turn
    expect(await branch.send('Never mind.')).toMatchObject({ status: 'completed', text: 'Mine.' })
    const nodes = await store.nodes('c')
    const ids = nodes.map(({ id }) => id)
    for (const { parent } of nodes) if (parent !== undefined) expect(ids).toContain(parent)
    expect((await store.path('c', branch.head ?? '')).map(({ message }) => message)).toEqual(branch.messages)
  })

  test('two processes that branch off at one open call make up its result once', async () => {
    const { store, first, second } = setUp({ tools: [tool({ name: 'mail', run: () => new Promise(() => {}) })] })
    const third = createAgent({ model: scriptedModel(['Third.']), store: createStore(of(store.driver)) })
    const turn = (await first.open('c')).send('Mail.')
    for await (const { type } of turn) if (type === 'tool.executing') break
    const branches = [(await second.open('c')).fork(), (await third.open('c')).fork()]
    await first.close()
    for (const branch of branches) expect(await branch.send('Never mind.')).toMatchObject({ status: 'completed' })
    const ids = (await store.events('c')).flatMap(event => (event.type === 'message.added' ? [event.messageId] : []))
    expect(ids.length).toBe(7)
    expect(new Set(ids).size).toBe(7)
  })

  test('who has not seen the last turn moves the head and gives a title all the same', async () => {
    const { store, first, second } = setUp({ tools: [tool({ name: 'mail', run: () => 'ok' })] })
    const chat = await first.open('c')
    await chat.send('Mail.')
    const stale = await second.open('c')
    const [asked] = stale.messages
    await chat.emit({ type: 'my.news' })
    stale.title = 'Post'
    const moved = stale.checkout(asked?.id ?? '')
    const turn = stale.send('And now?')
    await moved
    expect((await turn).messages.length).toBe(2)
    expect([stale.title, stale.messages.length]).toEqual(['Post', 3])
    expect(await store.conversation('c')).toMatchObject({ title: 'Post', head: stale.head })
  })
})

describe.each([
  { name: 'a store that answers at once', of: (driver: Driver) => driver },
  { name: 'a store that answers later', of: later },
])('a turn that waits while another process dies in a call, on $name', ({ of }) => {
  const setUp = async (reply: () => string | Promise<string>) => {
    const { driver } = memoryStore()
    const lives = [mortal(driver), mortal(driver)] as const
    const stuck = tool({ name: 'mail', run: () => new Promise(() => {}) })
    const process = (life: (typeof lives)[number], ...script: Parameters<typeof scriptedModel>[0]) =>
      createAgent({
        model: scriptedModel(script),
        tools: [stuck],
        store: createStore(of(life.driver), { waitMs: 60_000 }),
      })
    const first = await process(lives[0], 'One.', calls).open('c')
    await first.send('First.')
    const second = await process(lives[1], reply).open('c')
    for await (const { type } of first.send('Mail.')) if (type === 'tool.executing') break
    const waiting = second.send('Me.')
    await lives[0].end('c')
    return { driver, lives, second, waiting, process }
  }

  test('follows it, and the call has a result', async () => {
    const { second, waiting } = await setUp(() => 'Mine.')
    expect(await waiting).toMatchObject({ status: 'completed', text: 'Mine.' })
    expect(checkHistory(second.messages)).toEqual([])
    expect(second.messages.map(({ role }) => role).join(' ')).toBe('user assistant user assistant tool user assistant')
  })

  test('is resumed where it began', async () => {
    const { driver, lives, second, waiting } = await setUp(() => new Promise(() => {}))
    for await (const { type } of waiting) if (type === 'message.started' || type === 'message.added') break
    await second.kept()
    await lives[1].end('c')
    const store = createStore(of(driver))
    const agent = createAgent({ model: scriptedModel(['Again.'], { repeat: true }), store })
    await agent.open('c')
    const resumed = [agent.resume('c'), agent.resume('c')].find(turn => turn?.id === waiting.id)
    expect(await resumed).toMatchObject({ status: 'completed', text: 'Again.' })
    const own = (await store.nodes('c')).filter(({ turn }) => turn === waiting.id)
    expect(own.map(({ id }) => id)).toEqual([`${waiting.id}.u`, expect.stringContaining(`${waiting.id}.s0a`)])
    await agent.close()
  })
})

describe.each([
  { name: 'a store that answers at once', of: (driver: Driver) => driver },
  { name: 'a store that answers later', of: later },
])('a conversation that begins with a given history, in $name', ({ of }) => {
  const given = { id: 'c', messages: [said('user', 'Hello.'), said('assistant', 'Ho.')] }
  const process = (driver: Driver) => createAgent({ model: scriptedModel(['Mine.']), store: createStore(driver) })

  test('is read with it by the next process', async () => {
    const driver = of(memoryStore().driver)
    const agent = process(driver)
    await agent.open('c')
    const chat = agent.conversation(given)
    expect(await chat.send('On.')).toMatchObject({ status: 'completed' })
    const read = await process(driver).open('c')
    expect(read.messages).toEqual(chat.messages)
    expect(read.messages.length).toBe(4)
  })

  test('has its own history where it is there already', async () => {
    const driver = of(memoryStore().driver)
    const first = await process(driver).open('c')
    await first.send('Me first.')
    const agent = process(driver)
    await agent.open('c')
    expect(agent.conversation(given).messages).toEqual(first.messages)
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
      get(target, name: keyof Driver) {
        const member = target[name]
        if (typeof member !== 'function') return member
        return down ? () => Promise.reject(new Error('down')) : (member as () => unknown).bind(target)
      },
    })
    const { store, agent } = setUp(shaky)
    await expect(agent.open('c')).rejects.toThrow('down')
    down = false
    await (await agent.open('c')).send('Hello.')
    expect((await store.events('c')).at(-1)?.type).toBe('turn.completed')
  })
})
