import { createHash } from 'node:crypto'
import type { Message } from '../../core/base/message.ts'
import type { Prompt } from '../../core/base/ports.ts'
import { canonical } from './canonical-json.ts'

/** What hooks have changed in a prompt, as fingerprints: nothing where it is the path, the agent's instructions and no parameters. */
export interface PromptPrint {
  readonly messages?: string | undefined
  readonly instructions?: string | undefined
  readonly params?: string | undefined
  /** The name of the model, where a hook has chosen it. */
  readonly model?: string | undefined
}

/** `path` and `own`: what the prompt would be without hooks. Without `path` its messages are that, and are not read. */
export function printOf(prompt: Prompt, path: readonly Message[] | undefined, own: string): PromptPrint {
  const { instructions, params, model } = prompt
  // Whoever replays a turn may not know the agent's own instructions: what counts is what was added to them.
  const added = instructions.startsWith(own) ? instructions.slice(own.length).trimStart() : instructions
  return {
    ...(!path || says(prompt.messages, path) ? {} : { messages: print(prompt.messages.map(said)) }),
    ...(added ? { instructions: print(added) } : {}),
    ...(Object.keys(params).length ? { params: print(params) } : {}),
    ...(model ? { model: model.id } : {}),
  }
}

const said = ({ role, content }: Message): unknown => [role, content]
const says = (messages: readonly Message[], path: readonly Message[]): boolean =>
  messages.length === path.length && messages.every((message, i) => sameMessage(message, path[i]))

/** Compared by what they say: a hook may have given them another id. */
export const sameMessage = (a: Message, b: Message | undefined): boolean =>
  a === b || (b !== undefined && a.role === b.role && canonical(a.content) === canonical(b.content))

const print = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('base64url').slice(0, 22)
