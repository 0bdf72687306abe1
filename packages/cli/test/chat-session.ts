import { type CreateAgentOptions, createAgent } from 'turnbuckle'
import { type ConversationStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { ChatSession } from '../src/chat/session/chat-session.ts'
import type { ComposedAgent } from '../src/compose/compose-agent.ts'
import { FileVersions } from '../src/compose/file-versions.ts'

export interface TestChat {
  readonly session: ChatSession
  readonly store: ConversationStore
}

/** A chat on a store in memory, without a screen. `composed`: what a command needs besides. */
export function chatSession(
  options: Partial<CreateAgentOptions> = {},
  composed: Partial<Record<keyof ComposedAgent, unknown>> = {},
): TestChat {
  const store = memoryStore()
  const agent = createAgent({ model: scriptedModel(['One.', 'Two.', 'Three.']), store, breaker: false, ...options })
  const parts = {
    agent,
    store,
    model: { id: 'scripted' },
    loaded: { root: '/nowhere', home: '/nowhere', user: {}, project: {} },
    notices: [],
    sandboxNotice: { onNotice: () => {} },
    untrusted: [],
    fileVersions: new FileVersions(store, '/nowhere'),
    ...composed,
  }
  return { session: new ChatSession(parts as unknown as ComposedAgent, agent.conversation('conv_a')), store }
}

/** The texts of the transcript. */
export const textsOf = ({ state }: ChatSession): readonly string[] =>
  state.past.map(item => ('text' in item ? item.text : ''))
/** The last text of the transcript. */
export const lastText = (session: ChatSession): string | undefined => textsOf(session).at(-1)
