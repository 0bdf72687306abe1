import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, type Event, middleware, tool, type Use } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { type ConversationStore, createStore, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-answered-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
/** A place for several stores, each as another process would open it. */
const places = {
  memory: () => {
    const { driver } = memoryStore()
    return () => createStore(driver)
  },
  SQLite: () => {
    const file = join(folder, `${files++}.db`)
    return () => sqliteStore(file)
  },
}

/** A turn that has put a question to people, at a process that goes on working on it; and an agent of another process. */
async function asked(open: () => ConversationStore, hook: Use) {
  const [here, there] = [open(), open()]
  onTestFinished(async () => {
    await here.close()
    await there.close()
  })
  const pay = tool({ name: 'pay', run: () => 'paid' })
  const model = scriptedModel([{ calls: [{ name: 'pay' }] }, 'Done.'])
  const turn = createAgent({ model, store: here, tools: [pay], use: [hook] })
    .conversation('c')
    .send('Pay.')
  const events = turn[Symbol.asyncIterator]()
  /** The next question that the turn puts. */
  const question = async (): Promise<Event & { type: 'request.opened' }> => {
    for (;;) {
      const { value, done } = await events.next()
      if (done) throw new Error('The turn has ended.')
      if (value.type === 'request.opened') return value
    }
  }
  const other = createAgent({ model: scriptedModel([]), store: there, tools: [pay], use: [hook] })
  return { turn, question, other, there }
}

describe.each(Object.entries(places))('a question of a turn that another process works on, %s', (_, place) => {
  test('is answered: the turn goes on there, and the log says who it was', async () => {
    const { turn, question, other, there } = await asked(place(), approval())
    const { requestId } = await question()
    const chat = await other.open('c')
    await chat.answer(requestId, { decision: 'allow' }, { by: 'ada' })
    expect(chat.requests).toEqual([])
    expect(await turn).toMatchObject({ status: 'completed', text: 'Done.' })
    const answered = (await there.events('c')).filter(({ type }) => type === 'request.answered')
    expect(answered).toMatchObject([{ requestId, decision: { decision: 'allow' }, by: 'ada' }])
  })

  test('takes the votes of a quorum from both, one of each person', async () => {
    const { turn, question, other } = await asked(place(), approval({ quorum: 2 }))
    const first = await question()
    turn.answer(first.requestId, { decision: 'allow' }, { by: 'ada' })
    const second = await question()
    const chat = await other.open('c')
    const vote = async (by: string) => chat.answer(second.requestId, { decision: 'allow' }, { by })
    await expect(vote('ada')).rejects.toMatchObject({ code: 'request.invalid' })
    await vote('grace')
    await expect(vote('joan')).rejects.toMatchObject({ code: 'request.answered' })
    expect(await turn).toMatchObject({ status: 'completed', text: 'Done.' })
  })

  test('is answered once: the second is refused, whoever was first', async () => {
    const { turn, question, other } = await asked(place(), approval())
    const { requestId } = await question()
    const chat = await other.open('c')
    turn.answer(requestId, { decision: 'allow' })
    await expect((async () => chat.answer(requestId, { decision: 'deny' }))()).rejects.toMatchObject({
      code: expect.stringMatching(/^request\.(answered|expired)$/),
    })
    expect(await turn).toMatchObject({ text: 'Done.' })
  })

  test('is checked by the asker’s own function before it is taken', async () => {
    const even = middleware({
      name: 'even',
      async beforeTool(ctx) {
        await ctx.ask(
          'number',
          {},
          {
            check: answer => {
              if (Number(answer) % 2) throw new Error('It must be even.')
            },
          },
        )
      },
    })
    const { turn, question, other } = await asked(place(), even)
    const { requestId } = await question()
    const chat = await other.open('c')
    await expect((async () => chat.answer(requestId, 3))()).rejects.toMatchObject({
      code: 'request.invalid',
      message: expect.stringContaining('It must be even.'),
    })
    expect(chat.requests).toMatchObject([{ id: requestId }])
    await chat.answer(requestId, 4)
    expect(await turn).toMatchObject({ text: 'Done.' })
  })
})
