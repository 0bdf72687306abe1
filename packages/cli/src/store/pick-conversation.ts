import type { Conversation } from 'turnbuckle'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { UserError } from '../errors/user-error.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { findConversation } from './find-conversation.ts'
import { storeKindOf } from './store-kinds.ts'

export type ConversationPlace = Pick<ComposedAgent, 'agent' | 'store'> & {
  readonly loaded: Pick<LoadedSettings, 'user' | 'project'>
}

/** The conversation that `--conversation ID` or `--continue` means, or a new one. */
export async function pickConversation(
  { agent, store, loaded }: ConversationPlace,
  values: Readonly<Record<string, unknown>>,
): Promise<Conversation> {
  const read = async (id: string) => {
    const conversation = await agent.open(id)
    // A database elsewhere gives the rest of a long conversation only when it is waited for; a file gives it at once.
    if (isElsewhere(loaded)) await conversation.load()
    return conversation
  }
  if (typeof values.conversation === 'string') return read((await findConversation(store, values.conversation)).id)
  if (!values.continue) return agent.conversation()
  const [newest] = await store.list({ limit: 1 })
  if (!newest) throw new UserError('There is no conversation to go on with. turnbuckle chat starts one.', 1)
  return read(newest.id)
}

const isElsewhere = ({ user, project }: Pick<LoadedSettings, 'user' | 'project'>): boolean =>
  storeKindOf(project.store ?? user.store ?? '')?.place === 'elsewhere'
