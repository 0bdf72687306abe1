import { type Conversation, createAgent, type Event, middleware, tool } from 'turnbuckle'
import { type ConversationStore, createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { mortal } from './mortal-driver.ts'

const asks = () =>
  middleware({
    name: 'asks',
    guard: true,
    async beforeTool(ctx) {
      await ctx.ask('permission', ctx.call, { timeout: Infinity })
    },
  })
const mail = tool({ name: 'mail', run: () => 'ok' })
const calls = (name: string) => ({ calls: [{ name, args: { task: 'Mail.' } }] })
const process = (store?: ConversationStore) =>
  createAgent({ model: scriptedModel([calls('mail'), 'Sent.']), tools: [mail], use: [asks()], store })
const above = (store?: ConversationStore) =>
  createAgent({
    model: scriptedModel([calls('helper'), 'Done.']),
    tools: [agentTool(process(store), { name: 'helper' })],
    store,
  })

async function interrupted(chat: Conversation): Promise<readonly Event[]> {
  const heard: Event[] = []
  chat.subscribe(event => heard.push(event))
  const turn = chat.send('Mail.')
  for await (const { type } of turn) if (type === 'request.opened') turn.interrupt()
  await turn.settled
  await chat.kept()
  // What comes of a call after that is news of its own.
  return heard.filter(({ type }) => type !== 'tool.late')
}

test.each([
  { name: 'a conversation in memory', of: () => process() },
  { name: 'a conversation on a log', of: () => process(memoryStore()) },
  { name: 'a sub-agent in memory', of: () => above() },
  { name: 'a sub-agent on a log', of: () => above(memoryStore()) },
])('what $name has asked is over before the interrupt is told, which is the last of the turn', async ({ of }) => {
  const heard = await interrupted(of().conversation('c'))
  const [expired, end] = [heard.findIndex(({ type }) => type === 'request.expired'), heard.length - 1]
  expect(heard[end]?.type).toBe('turn.interrupted')
  expect(expired).toBeGreaterThan(0)
  expect(heard[expired]).toMatchObject({ turnId: heard[end]?.turnId, reason: 'interrupted' })
  expect(heard.filter(({ type }) => type === 'request.expired').length).toBe(1)
})

test('what a process had asked is over when the turn is resumed and interrupted before it is asked again', async () => {
  const { driver } = memoryStore()
  const life = mortal(driver)
  const turn = process(createStore(life.driver)).conversation('c').send('Mail.')
  for await (const { type } of turn) if (type === 'request.opened') break
  await life.end('c')
  const store = createStore(driver)
  const agent = process(store)
  const chat = await agent.open('c')
  const resumed = agent.resume('c')
  resumed?.interrupt()
  expect(await resumed?.settled).toMatchObject({ status: 'interrupted' })
  expect((await store.events('c')).slice(-2)).toMatchObject([{ type: 'request.expired' }, { type: 'turn.interrupted' }])
  expect([await store.requests(), chat.requests]).toEqual([[], []])
})

test('what was answered before a process died is not asked again of who reads the resumed turn', async () => {
  const { driver } = memoryStore()
  const life = mortal(driver)
  const stuck = tool({ name: 'mail', idempotent: true, run: () => new Promise(() => {}) })
  const first = createAgent({
    model: scriptedModel([calls('mail')]),
    tools: [stuck],
    use: [asks()],
    store: createStore(life.driver),
  })
  const turn = first.conversation('c').send('Mail.')
  for await (const event of turn) {
    if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'allow' })
    if (event.type === 'tool.executing') break
  }
  await life.end('c')
  const resumed = createAgent({
    model: scriptedModel(['Sent.']),
    tools: [tool({ name: 'mail', idempotent: true, run: () => 'ok' })],
    use: [asks()],
    store: createStore(driver),
  }).resume('c')
  const codes: unknown[] = []
  for await (const event of resumed ?? [])
    if (event.type === 'request.opened')
      try {
        resumed?.answer(event.requestId, { decision: 'deny' })
      } catch (error) {
        codes.push((error as { code: string }).code)
      }
  expect([codes, (await resumed)?.status]).toEqual([[], 'completed'])
})
