import type { Conversation } from 'turnbuckle'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { UserError } from '../errors/user-error.ts'
import { findConversation } from './find-conversation.ts'

/** The conversation that `--conversation ID` or `--continue` means, or a new one. */
export async function pickConversation(
  { agent, store }: Pick<ComposedAgent, 'agent' | 'store'>,
  values: Readonly<Record<string, unknown>>,
): Promise<Conversation> {
  const read = async (id: string) => {
    const conversation = await agent.open(id)
    await conversation.load()
    return conversation
  }
  if (typeof values.conversation === 'string') return read((await findConversation(store, values.conversation)).id)
  if (!values.continue) return agent.conversation()
  const [newest] = await store.list({ limit: 1 })
  if (!newest) throw new UserError('There is no conversation to go on with. turnbuckle chat starts one.', 1)
  return read(newest.id)
}
