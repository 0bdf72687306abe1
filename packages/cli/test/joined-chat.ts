import { type Conversation, createAgent, type Middleware, type Turn, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import type { ChatSession } from '../src/chat/session/chat-session.ts'
import { chatSession } from './chat-session.ts'

export const pay = tool({ name: 'pay', run: () => 'paid' })
export const paying = () => scriptedModel([{ calls: [{ name: 'pay', args: { amount: 3 } }] }, 'Paid it.', 'Done.'])

export interface JoinedChat {
  readonly session: ChatSession
  /** The turn of the other program. */
  readonly turn: Turn
  /** Its side of the conversation. */
  readonly there: Conversation
  readonly driver: ReturnType<typeof memoryStore>['driver']
}

/** A chat that is opened while another program waits for a person, in a turn of the same conversation. `use`: the middleware that asks there. */
export async function joinedChat({
  use = [approval()],
  owner,
}: {
  readonly use?: readonly Middleware[]
  readonly owner?: string
} = {}): Promise<JoinedChat> {
  const { driver } = memoryStore()
  const other = createAgent({ model: paying(), store: createStore(driver), tools: [pay], use: [...use] })
  const there = other.conversation({ id: 'conv_a', ...(owner === undefined ? {} : { owner }) })
  const turn = there.send('Pay.')
  for await (const event of turn) if (event.type === 'request.opened') break
  const store = createStore(driver)
  const agent = createAgent({ model: scriptedModel(['Hello.']), store, tools: [pay], use: [approval()] })
  const { session } = chatSession({}, { agent, store })
  await session.open(await agent.open('conv_a'))
  return { session, turn, there, driver }
}
