import type { Conversation } from 'turnbuckle'
import { findConversation } from './commands/with-store.ts'
import type { Composed } from './compose/compose.ts'
import { Mistake } from './mistake.ts'

/** The conversation that `--conversation ID` or `--continue` means, or a new one. */
export async function pickConversation(
  { agent, store }: Pick<Composed, 'agent' | 'store'>,
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
  if (!newest) throw new Mistake('There is no conversation to go on with. turnbuckle chat starts one.', 1)
  return read(newest.id)
}
