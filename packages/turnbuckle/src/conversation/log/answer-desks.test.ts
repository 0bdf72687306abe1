import { createAgent, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { type ConversationRow, createStore, type Driver, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { AnswerDesks } from './answer-desks.ts'

const pay = tool({ name: 'pay', run: () => 'paid' })
const options = { waitMs: 0 }

/** A driver whose process has its own way with some calls. */
const changed = (driver: Driver, changes: Partial<Driver>): Driver =>
  new Proxy(driver, {
    get(target, name) {
      const member = Reflect.get(changes, name) ?? Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })

/** A turn that waits for a person, at a process with that driver; and a handle of another process. */
async function asked(driver: Driver, here: Driver = driver) {
  const model = scriptedModel([{ calls: [{ name: 'pay' }] }, 'Done.'])
  const agent = createAgent({ model, tools: [pay], use: [approval()], store: createStore(here, options) })
  const turn = agent.conversation('c').send('Pay.')
  for await (const event of turn) if (event.type === 'request.opened') break
  const store = createStore(driver, options)
  const other = createAgent({ model: scriptedModel([]), tools: [pay], use: [approval()], store })
  const chat = await other.open('c')
  const [{ id } = { id: '' }] = chat.requests
  return { turn, chat, id, driver }
}

test('an answer that the process at work does not take is refused, and the question stays open', async () => {
  const { driver } = memoryStore()
  const { turn, chat, id } = await asked(driver, changed(driver, { entries: () => [] }))
  await expect(chat.answer(id, { decision: 'allow' })).rejects.toMatchObject({ code: 'conversation.locked' })
  expect(chat.requests).toMatchObject([{ id }])
  expect(await driver.entries('desk.answers')).toEqual([])
  turn.answer(id, { decision: 'allow' })
  expect(await turn).toMatchObject({ text: 'Done.' })
})

test('a store that fails at the process at work refuses nobody: who answers tries it alone', async () => {
  const { driver } = memoryStore()
  const failing = () => Promise.reject(new Error('No disk.'))
  const { chat, id } = await asked(driver, changed(driver, { entries: failing }))
  await expect(chat.answer(id, { decision: 'allow' })).rejects.toMatchObject({ code: 'conversation.locked' })
})

test('an answer that comes while the process at work leaves the turn is kept for who resumes it', async () => {
  const { driver } = memoryStore()
  let park = () => {}
  const leaving = changed(driver, {
    set(space, ...given) {
      if (space === 'desk.replies') park()
      return driver.set(space, ...given)
    },
  })
  const { turn, chat, id } = await asked(driver, leaving)
  park = () => turn.park()
  await chat.answer(id, { decision: 'allow' })
  expect(chat.requests).toEqual([])
  expect(await createStore(driver).events('c')).toContainEqual(
    expect.objectContaining({ type: 'request.answered', requestId: id, decision: { decision: 'allow' } }),
  )
})

test('nothing is left in the store when an answer was taken or refused', async () => {
  const { turn, chat, id, driver } = await asked(memoryStore().driver)
  await expect(
    (async () => chat.answer(id, { decision: 'allow', scope: 'always', pattern: 'shell(*)' }))(),
  ).rejects.toMatchObject({ code: 'request.invalid' })
  await chat.answer(id, { decision: 'allow' })
  expect(await turn).toMatchObject({ text: 'Done.' })
  for (const space of ['desk.answers', 'desk.replies']) expect(await driver.entries(space)).toEqual([])
})

test('answers to questions of several conversations are taken side by side', async () => {
  const { driver } = memoryStore()
  const model = scriptedModel([{ calls: [{ name: 'pay' }] }, { calls: [{ name: 'pay' }] }, 'Done.', 'Done.'])
  const here = createAgent({ model, tools: [pay], use: [approval()], store: createStore(driver) })
  const turns = ['a', 'b'].map(name => here.conversation(name).send('Pay.'))
  for (const turn of turns) for await (const event of turn) if (event.type === 'request.opened') break
  const other = createAgent({ model, tools: [pay], use: [approval()], store: createStore(driver) })
  const chats = await Promise.all(['a', 'b'].map(name => other.open(name)))
  await Promise.all(chats.map(chat => chat.answer(chat.requests[0]?.id ?? '', { decision: 'allow' })))
  for (const turn of turns) expect(await turn).toMatchObject({ text: 'Done.' })
})

const given = { requestId: 'q', answer: 1, options: {} }

test('an answer is withdrawn once nobody writes to its conversation', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { driver } = memoryStore()
  let isHeld = true
  const conversation = (id: string) => ({ id, held: isHeld }) as ConversationRow
  const handed = new AnswerDesks(changed(driver, { conversation })).hand('c', given)
  const end = vi.fn()
  void handed.then(end)
  await vi.advanceTimersByTimeAsync(500)
  expect(end).not.toHaveBeenCalled()
  isHeld = false
  await vi.advanceTimersByTimeAsync(200)
  expect(end).toHaveBeenCalledWith(false)
  expect(await driver.entries('desk.answers')).toEqual([])
})

describe('with a slow store', () => {
  const slowly = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
  /** The desks of two processes, of which the first is slow in some of its calls. */
  const desks = (slow: (driver: Driver) => Partial<Driver>) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const held = (id: string) => ({ id, held: true }) as ConversationRow
    const driver = changed(memoryStore().driver, { conversation: held })
    const left = async () => [...(await driver.entries('desk.answers')), ...(await driver.entries('desk.replies'))]
    // A process that ends as soon as it has handed its answers in reads no reply.
    const gone = new AnswerDesks(changed(driver, { get: () => new Promise(() => {}) }))
    return { here: new AnswerDesks(changed(driver, slow(driver))), there: new AnswerDesks(driver), gone, left }
  }

  test('an answer is taken once, however long the looks at the desk take', async () => {
    const { here, there, left } = desks(driver => ({
      entries: async space => {
        const found = await driver.entries(space)
        await slowly(600)
        return found
      },
    }))
    const take = vi.fn(async () => {})
    const leave = here.attend('c', take)
    const handed = there.hand('c', given)
    await vi.advanceTimersByTimeAsync(5000)
    leave()
    expect(await handed).toBe(true)
    expect(take).toHaveBeenCalledOnce()
    expect(await left()).toEqual([])
  })

  test('an answer does not wait for that of another conversation', async () => {
    const { here, there } = desks(() => ({}))
    const leave = here.attend('slow', () => new Promise(() => {}))
    const leaveOther = here.attend('c', async () => {})
    const slow = there.hand('slow', given)
    const handed = there.hand('c', given)
    await vi.advanceTimersByTimeAsync(1000)
    leave()
    leaveOther()
    expect(await handed).toBe(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await slow).toBe(false)
  })

  test('who answers waits for the reply, however long the log takes to have the answer', async () => {
    const { here, there, left } = desks(() => ({}))
    const leave = here.attend('c', async () => void (await slowly(20_000)))
    const handed = there.hand('c', given)
    await vi.advanceTimersByTimeAsync(25_000)
    leave()
    expect(await handed).toBe(true)
    expect(await left()).toEqual([])
  })

  test('an answer is not taken when it was withdrawn, whichever comes first', async () => {
    const outcomes = new Set<boolean>()
    for (let ms = 1500; ms < 2100; ms += 10) {
      const { here, there, left } = desks(driver => ({
        set: async (...[space, key, value, ...more]) => {
          if (value) await slowly(ms)
          await driver.set(space, key, value, ...more)
        },
        get: async (space, key) => {
          const value = await driver.get(space, key)
          await slowly(100)
          return value
        },
      }))
      const take = vi.fn(async () => {})
      const leave = here.attend('c', take)
      const handed = there.hand('c', given)
      await vi.advanceTimersByTimeAsync(20_000)
      leave()
      expect(take).toHaveBeenCalledTimes((await handed) ? 1 : 0)
      expect(await left()).toEqual([])
      outcomes.add(await handed)
    }
    expect([...outcomes].sort()).toEqual([false, true])
  })

  test('a reply that comes too late is not left in the store', async () => {
    const { here, there, left } = desks(() => ({}))
    const leave = here.attend('c', async () => void (await slowly(40_000)))
    const handed = there.hand('c', given)
    await vi.advanceTimersByTimeAsync(50_000)
    leave()
    expect(await handed).toBe(false)
    expect(await left()).toEqual([])
  })

  test('what a process that is no more has left is not taken after a minute, and goes', async () => {
    const { here, there, gone, left } = desks(() => ({}))
    for (const conversation of ['c', 'd']) void gone.hand(conversation, given)
    const leaveFirst = here.attend('c', async () => {})
    await vi.advanceTimersByTimeAsync(1000)
    leaveFirst()
    expect(await left()).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(60_000)
    const take = vi.fn(async () => {})
    const leave = here.attend('d', take)
    await vi.advanceTimersByTimeAsync(1000)
    leave()
    expect(take).not.toHaveBeenCalled()
    expect(await left()).toHaveLength(1)
    const handed = there.hand('e', given)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await handed).toBe(false)
    expect(await left()).toEqual([])
  })
})
