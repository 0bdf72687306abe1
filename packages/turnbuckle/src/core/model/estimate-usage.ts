import type { Message } from '../base/message.ts'
import type { ToolSpec, Usage } from '../base/ports.ts'
import type { BeforeContext } from '../hooks/hook-types.ts'
import type { Conversation } from '../types/conversation.ts'
import type { Messages } from '../types/messages.ts'
import { countTokens } from './estimate-tokens.ts'

type Calling = Pick<BeforeContext<'model'>, 'conversation' | 'messages' | 'prompt'>

/** True where the model did not report this call's usage. A managed loop is left out: it reports when it ends. */
export const isUnsaid = ({
  draft,
  prompt,
  agent,
}: Pick<BeforeContext<'model'>, 'draft' | 'prompt' | 'agent'>): boolean =>
  draft.usage === undefined && (prompt.model ?? agent.model).loop === undefined

/**
 * An estimate for a model call without reported usage. `of`: in a call of the turn's the whole path counts, trimmed or not;
 * in a hook's own call the messages of its prompt do.
 */
export function estimateUsage(
  { conversation, messages, prompt }: Calling,
  reply: Message,
  of: 'turn' | 'hook' = 'turn',
): Usage {
  const said = of === 'turn' ? tokensOfPath(conversation, messages) : tokensOf(prompt.messages)
  return {
    inputTokens: said + Math.ceil(prompt.instructions.length / 4) + tokensOfTools(prompt.tools),
    outputTokens: countTokens(reply),
  }
}

const tokensOf = (messages: readonly Message[]): number =>
  messages.reduce((tokens, message) => tokens + countTokens(message), 0)

interface Counted {
  readonly length: number
  readonly last: Message | undefined
  readonly tokens: number
}

/** The tokens of a handle's path so far, so that only messages recorded since are counted. */
const counted = new WeakMap<Conversation, Counted>()

function tokensOfPath(conversation: Conversation, path: Messages): number {
  const { length } = path
  const known = counted.get(conversation)
  const goesOn = known !== undefined && known.length <= length && path.at(known.length - 1) === known.last
  let tokens = goesOn ? known.tokens : 0
  let last = goesOn ? known.last : undefined
  for (let i = goesOn ? known.length : 0; i < length; i++) {
    last = path.at(i) as Message
    tokens += countTokens(last)
  }
  counted.set(conversation, { length, last, tokens })
  return tokens
}

const described = new WeakMap<readonly ToolSpec[], number>()

function tokensOfTools(tools: readonly ToolSpec[]): number {
  const known = described.get(tools) ?? Math.ceil(JSON.stringify(tools).length / 4)
  described.set(tools, known)
  return known
}
