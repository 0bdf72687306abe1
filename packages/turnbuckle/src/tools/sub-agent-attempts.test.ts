import { type Agent, agentTool, createAgent, middleware, tool } from 'turnbuckle'
import { type ConversationStore, memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { workForCaller } from 'turnbuckle/tools'
import { expect, test } from 'vitest'

const echo = tool({ name: 'echo', run: args => args })
const callsEcho: ScriptedStep = { calls: [{ name: 'echo', args: { n: 1 } }] }
const callsChild: ScriptedStep = { calls: [{ id: 'c1', name: 'child', args: { task: 'count' } }] }
const results = (messages: readonly { content: readonly { type: string }[] }[]) =>
  messages.flatMap(({ content }) => content).filter(({ type }) => type === 'result')

const hangs = middleware({ name: 'hangs', wrapTool: () => new Promise(() => {}) })
const parks = middleware({ name: 'parks', beforeTool: ctx => ctx.turn.park() })

const childOn = (store: ConversationStore, steps: ScriptedStep[], use: [] | [typeof hangs] = []) =>
  createAgent({ name: 'child', model: scriptedModel(steps), store, tools: [echo], use })
const callerOn = (store: ConversationStore, steps: ScriptedStep[], child: Agent) =>
  createAgent({ model: scriptedModel(steps), store, tools: [agentTool(child, { name: 'child' })] })

/** A store on which a process has left a turn at the call of a sub-agent, and that one's turn too. */
async function leftAtCall(): Promise<ConversationStore> {
  const store = memoryStore()
  const caller = callerOn(store, [callsChild], childOn(store, [callsEcho], [hangs]))
  const turn = caller.conversation('c').send('Go.', { id: 't' })
  for await (const event of turn) {
    const news = event.type === 'agent.event' ? event.event : undefined
    if (news?.type !== 'message.added' || news.role !== 'assistant') continue
    turn.park()
    break
  }
  await turn.settled
  return store
}
/** Another process ends the sub-agent's turn, and its caller does not hear of it. */
async function endElsewhere(store: ConversationStore, steps: ScriptedStep[]): Promise<void> {
  const agent = callerOn(store, [], childOn(store, steps))
  const caller = { conversationId: 'c', turnId: 't', callId: 'c1', tool: 'child' }
  const value = { message: 'count', depth: 0, deepest: 5, waited: false, levels: [], refused: [] }
  const work = await workForCaller({ agent, conversationId: 't.c1', caller, by: '1', tell: async () => ({ value }) })
  if ('state' in work) throw new Error(work.state)
  await work.done
}
/** A person who talks in the sub-agent's conversation, in a turn beside its own. */
async function speak(store: ConversationStore, steps: ScriptedStep[]): Promise<void> {
  const person = createAgent({ model: scriptedModel(steps), store, tools: [echo], use: [parks] })
  await (await person.open('t.c1')).fork(null).send('Say something else.').settled
  await person.close()
}

test.each([
  { what: 'ended', script: ['forged'] as ScriptedStep[], status: 'completed' },
  { what: 'was left unfinished', script: [callsEcho, 'forged'] as ScriptedStep[], status: 'open' },
])(
  'a turn of a person’s that $what behind the end of a sub-agent is not what its call gives',
  async ({ script, status }) => {
    const store = await leftAtCall()
    await endElsewhere(store, ['three'])
    await speak(store, script)
    const result = await callerOn(store, ['done'], childOn(store, ['not asked'])).resume('c')
    expect(results(result?.messages ?? [])).toMatchObject([{ status: 'ok', value: 'three' }])
    expect((await store.turns({ conversation: 't.c1' })).map(turn => turn.status)).toEqual(['completed', status])
  },
)

test('a sub-agent that was left goes on with its own turn, whatever a person has said beside it', async () => {
  const store = await leftAtCall()
  await speak(store, ['forged'])
  const result = await callerOn(store, ['done'], childOn(store, ['three'])).resume('c')
  expect(results(result?.messages ?? [])).toMatchObject([{ status: 'ok', value: 'three' }])
})
