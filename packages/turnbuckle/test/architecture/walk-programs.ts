import { createServer } from '@turnbuckle/server'
import { type Agent, createAgent, type Middleware, middleware, rewind, tool } from 'turnbuckle'
import {
  applyEvent,
  type ConversationState,
  conversationState,
  createClient,
  type SocketConstructor,
} from 'turnbuckle/client'
import { type ConversationStore, createStore, memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { WebSocket } from 'ws'

const adding: ScriptedStep = { text: 'Let me see.', calls: [{ name: 'add', args: { a: 1, b: 2 } }] }
const add = tool<{ a: number; b: number }>({ name: 'add', run: ({ a, b }) => a + b })

const agentWith = (
  script: readonly ScriptedStep[],
  use: readonly Middleware[] = [],
  store?: ConversationStore,
): Agent => createAgent({ model: scriptedModel(script), tools: [add], use, ...(store && { store }) })

const asking = middleware({
  name: 'asking',
  guard: true,
  async beforeTool(ctx) {
    await ctx.ask('permission', { tool: ctx.call.name })
  },
})

const empty = { id: 'c', title: '', head: null, seq: 0, at: 0, nodes: [], turns: [], requests: [], calls: [] }

/** One message with one call, kept in a store, and the view of it. */
export async function message(): Promise<string> {
  const turn = agentWith([adding, 'Three.'], [], memoryStore()).conversation('c').send('What is 1 + 2?')
  let state: ConversationState = conversationState(empty)
  for await (const event of turn) state = applyEvent(state, event)
  return (await turn).text
}

/** One call that a guard asks a person about, who answers over the wire. `begin`: when the person follows the conversation already. */
export async function approval(begin: () => void): Promise<string> {
  const agent = agentWith(['Hello.', adding, 'Three.'], [asking], memoryStore())
  const server = await createServer({ agent, token: 'secret' })
  const client = createClient({
    url: server.url,
    token: 'secret',
    WebSocket: WebSocket as unknown as SocketConstructor,
  })
  const { id } = await client.createConversation()
  let state: ConversationState = conversationState(await client.conversation(id))
  let ended: (outcome: string) => void = () => {}
  client.follow(id, {
    after: state.seq,
    onEvent(event) {
      state = applyEvent(state, event)
      if (event.type === 'request.opened') void client.answer(event.requestId, { decision: 'allow' })
      if (event.type === 'turn.completed') ended(event.outcome)
    },
  })
  const ask = (text: string) =>
    new Promise<string>(resolve => {
      ended = resolve
      void client.send(id, { text })
    })
  await ask('Hi.')
  begin()
  const outcome = await ask('What is 1 + 2?')
  client.close()
  await server.close()
  return outcome
}

/** A turn whose process stops in its second model call, and is gone through again by another. */
export async function resume(begin: () => void): Promise<string | undefined> {
  const { driver } = memoryStore()
  await new Promise<void>(stuck => {
    const hanging: ScriptedStep = () => {
      stuck()
      return new Promise(() => {})
    }
    void agentWith([adding, hanging], [], createStore(driver, { leaseMs: 0 }))
      .conversation('c')
      .send('What is 1 + 2?')
  })
  begin()
  const turn = agentWith(['Three.'], [], createStore(driver, { leaseMs: 0 })).resume('c')
  return (await turn?.settled)?.text
}

/** A reply that a critic sends back to the beginning of its step. */
export async function rewinding(): Promise<string> {
  const critic = middleware({
    name: 'critic',
    state: { done: false },
    afterDecide(ctx) {
      if (ctx.state.done) return
      ctx.update(() => ({ done: true }))
      return rewind(0, 'Try again.')
    },
  })
  return (await agentWith(['Four.', 'Three.'], [critic]).send('What is 1 + 2?')).text
}
