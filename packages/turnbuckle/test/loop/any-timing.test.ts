import { createAgent, type Event, middleware, tool } from 'turnbuckle'
import { fallback, retry } from 'turnbuckle/middleware'
import { type ConversationStore, createStore, type Driver, memoryStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

// Whatever comes, and whenever it comes: a turn has one end, which is told once, and nothing is left unhandled.

const unhandled: unknown[] = []
const note = (error: unknown) => void unhandled.push(error)
beforeEach(() => void process.on('unhandledRejection', note))
afterEach(async () => {
  await settleDown()
  process.off('unhandledRejection', note)
  expect(unhandled.splice(0)).toEqual([])
})

const settleDown = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

/** A driver that answers later, as a database elsewhere does. */
const later = (driver: Driver): Driver =>
  new Proxy(driver, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as unknown
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        await Promise.resolve()
        return member.apply(target, args)
      }
    },
  })

const stores: Readonly<Record<string, () => ConversationStore | undefined>> = {
  'without a store': () => undefined,
  'on a store that answers at once': () => memoryStore(),
  'on a store that answers later': () => createStore(later(memoryStore().driver)),
}

const ends = (events: readonly Event[]) =>
  events.filter(({ type }) => /^turn\.(completed|stopped|failed|interrupted)$/.test(type)).map(({ type }) => type)

function agentOn(store: ConversationStore | undefined) {
  const look = tool({ name: 'look', run: async () => 'seen' })
  const model = scriptedModel([{ text: 'Looking.', calls: [{ name: 'look' }, { name: 'look' }] }, 'Done.'])
  return createAgent({ model, tools: [look], ...(store ? { store } : {}) })
}

/** Waits for so many turns of the microtask queue, and then of the event loop. */
async function ticks(count: number): Promise<void> {
  for (let i = 0; i < Math.min(count, 40); i++) await undefined
  for (let i = 40; i < count; i++) await new Promise(setImmediate)
}

describe.each(Object.keys(stores))('%s', where => {
  const open = () => (stores[where] as () => ConversationStore | undefined)()

  test('delete() at any moment after send() ends the turn once, and nothing of it is left', async () => {
    const statuses = new Set<string>()
    for (let moment = 0; moment < 60; moment++) {
      const store = open()
      const chat = await agentOn(store).open('c')
      const turn = chat.send('Go.')
      const events: Event[] = []
      const reading = (async () => {
        for await (const event of turn) events.push(event)
      })()
      await ticks(moment)
      await chat.delete()
      const { status, reason } = await turn.settled
      await reading
      statuses.add(status)
      if (status !== 'completed') expect([status, reason]).toEqual(['interrupted', 'the conversation was deleted'])
      expect(ends(events), `at ${moment}`).toEqual([`turn.${status}`])
      await settleDown()
      expect(await store?.conversation('c')).toBeUndefined()
      expect(() => chat.send('Again.')).toThrow('was deleted')
    }
    expect([...statuses]).toContain('interrupted')
  })

  test.each(['a listener', 'a reader', 'a hook'] as const)(
    'an interrupt by %s at any message.added ends the turn as interrupted, with a valid history',
    async who => {
      for (let nth = 0; nth < 4; nth++) {
        const store = open()
        let seen = 0
        const isNth = (event: Event) => event.type === 'message.added' && seen++ === nth
        const stops = middleware({
          name: 'stops',
          onEvent: event => void (who === 'a hook' && isNth(event) && turn.interrupt('now')),
        })
        const agent = agentOn(store)
        agent.use(stops)
        const chat = await agent.open('c')
        const told: Event[] = []
        chat.subscribe(event => {
          told.push(event)
          if (who === 'a listener' && isNth(event)) turn.interrupt('now')
        })
        const turn = chat.send('Go.')
        for await (const event of turn) if (who === 'a reader' && isNth(event)) turn.interrupt('now')
        const { status, reason } = await turn.settled
        await settleDown()
        expect([status, reason], `at ${nth}`).toEqual(['interrupted', 'now'])
        expect(ends(told)).toEqual(['turn.interrupted'])
        expect(checkHistory(chat.messages)).toEqual([])
      }
    },
  )
})

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable(new Error('gone'), {})
  revoke()
  return proxy
}
const unreadable = (): never => {
  throw new Error('must not be read')
}
const thrown: Readonly<Record<string, () => unknown>> = {
  'an object whose message cannot be read': () => ({
    get message() {
      return unreadable()
    },
  }),
  'an object of which nothing can be read': () =>
    new Proxy({}, { get: unreadable, has: unreadable, getPrototypeOf: unreadable }),
  'a revoked proxy': revoked,
  'an error that is frozen': () => Object.freeze(new Error('frozen')),
  'an error whose message cannot be read': () => Object.defineProperty(new Error('x'), 'message', { get: unreadable }),
  'an object without a prototype': () => Object.create(null),
  'an object that cannot be put in words': () => ({ toString: unreadable, toJSON: unreadable }),
  'a symbol': () => Symbol('x'),
  'a function': () => () => {},
  nothing: () => undefined,
  null: () => null,
  'an error that is its own cause': () => {
    const error = new Error('round')
    error.cause = error
    return error
  },
}
const thrower = { get: (name: string) => (thrown[name] as () => unknown)() }

describe.each(Object.keys(thrown))('%s', what => {
  const raise = (): never => {
    throw thrower.get(what)
  }

  test.each(['without a store', 'on a store that answers later'])(
    'thrown by a model %s fails the turn',
    async where => {
      const store = stores[where]?.()
      const model = { id: 'raises', stream: raise }
      const use = [retry({ times: 1, baseMs: 0 }), fallback([{ id: 'too', stream: raise }])]
      const turn = createAgent({ model, use, ...(store ? { store } : {}) }).send('Go.')
      const events: Event[] = []
      for await (const event of turn) events.push(event)
      expect(ends(events)).toEqual(['turn.failed'])
      const caught = await turn.then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(caught).toBeInstanceOf(Error)
      expect((caught as { result?: { status?: string } }).result?.status).toBe('failed')
    },
  )

  test('thrown by a tool is its error result', async () => {
    const model = scriptedModel([{ calls: [{ name: 'raises' }] }, 'Done.'])
    const turn = createAgent({ model, tools: [tool({ name: 'raises', run: raise })] }).send('Go.')
    const { status, messages } = await turn
    expect(status).toBe('completed')
    expect(messages.flatMap(({ content }) => content)).toContainEqual(
      expect.objectContaining({ type: 'result', status: 'error' }),
    )
  })

  test.each(['beforeModel', 'wrapModel', 'afterModel', 'beforeTurn', 'afterTurn', 'wrapTurn'] as const)(
    'thrown by %s ends the turn once',
    async point => {
      const use = [middleware({ name: 'raises', [point]: raise })]
      const turn = createAgent({ model: scriptedModel(['Done.']), use }).send('Go.')
      const events: Event[] = []
      for await (const event of turn) events.push(event)
      expect(ends(events)).toHaveLength(1)
      expect((await turn.settled).status).toMatch(/failed|completed/)
    },
  )

  test('thrown by those who only hear changes nothing', async () => {
    const use = [middleware({ name: 'raises', onEvent: raise, onTrace: raise })]
    const chat = createAgent({ model: scriptedModel(['Done.']), use }).conversation()
    chat.subscribe(raise)
    expect((await chat.send('Go.').settled).status).toBe('completed')
  })
})
