import type { BeforeContext } from '../core/hook-types.ts'
import type { Message } from '../core/message.ts'
import type { ToolSpec, Usage } from '../core/ports.ts'
import { estimateTokens } from './estimate-tokens.ts'

type Calling = Pick<BeforeContext<'model'>, 'stage' | 'messages' | 'prompt'>

/** What a model call may have used that did not say. For the turn's own calls the whole path counts, trimmed or not. */
export function estimateUsage({ stage, messages, prompt }: Calling, reply: Message): Usage {
  const said = stage === 'model' ? tokensOfPath(messages) : tokensOf(prompt.messages)
  return {
    inputTokens: said + Math.ceil(prompt.instructions.length / 4) + tokensOfTools(prompt.tools),
    outputTokens: estimateTokens(reply),
  }
}

const tokensOf = (messages: readonly Message[]): number =>
  messages.reduce((tokens, message) => tokens + estimateTokens(message), 0)

/** What was counted up to a message, and how many messages that were: only what came since is looked at. */
const counted = new WeakMap<Message, { readonly length: number; readonly tokens: number }>()

function tokensOfPath(path: Calling['messages']): number {
  let from = path.length
  let tokens = 0
  for (; from > 0; from--) {
    const last = path.at(from - 1)
    const known = last && counted.get(last)
    if (known?.length !== from) continue
    tokens = known.tokens
    break
  }
  for (let i = from; i < path.length; i++) {
    const message = path.at(i) as Message
    tokens += estimateTokens(message)
    counted.set(message, { length: i + 1, tokens })
  }
  return tokens
}

const described = new WeakMap<readonly ToolSpec[], number>()

function tokensOfTools(tools: readonly ToolSpec[]): number {
  const known = described.get(tools) ?? Math.ceil(JSON.stringify(tools).length / 4)
  described.set(tools, known)
  return known
}
