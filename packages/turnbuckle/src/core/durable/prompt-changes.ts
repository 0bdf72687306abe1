import { canonicalJson } from '../base/canonical-json.ts'
import type { Message } from '../base/message.ts'
import type { Prompt } from '../base/ports.ts'

/** The parts of a prompt that hooks have changed: none where it is the path, the agent's instructions and no parameters. */
export interface PromptChanges {
  /** Role and content of each message. */
  readonly messages?: unknown
  /** Text that hooks have added to the agent's instructions. */
  readonly instructions?: unknown
  readonly params?: unknown
  /** The name of the model, where a hook has chosen it. */
  readonly model?: string | undefined
}

/** `path` and `own`: the prompt without hooks. Without `path` its messages are the path, and are not read. */
export function promptChanges(prompt: Prompt, path: readonly Message[] | undefined, own: string): PromptChanges {
  const { instructions, params, model } = prompt
  // A replay may not know the agent's own instructions: only the text added to them is compared.
  const added = instructions.startsWith(own) ? instructions.slice(own.length).trimStart() : instructions
  return {
    ...(!path || isSame(prompt.messages, path)
      ? {}
      : { messages: prompt.messages.map(({ role, content }) => [role, content]) }),
    ...(added ? { instructions: added } : {}),
    ...(Object.keys(params).length ? { params } : {}),
    ...(model ? { model: model.id } : {}),
  }
}

const isSame = (messages: readonly Message[], path: readonly Message[]): boolean =>
  messages.length === path.length && messages.every((message, i) => isSameMessage(message, path[i]))

/** Messages are compared by role and content: a hook may have given them another id. */
export const isSameMessage = (a: Message, b: Message | undefined): boolean =>
  a === b || (b !== undefined && a.role === b.role && canonicalJson(a.content) === canonicalJson(b.content))
