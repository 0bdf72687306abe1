import type { CompleteResult, GetPromptResult, Server } from '@modelcontextprotocol/server'
import { TurnbuckleError } from '../core/base/errors.ts'
import type { NewMessage } from '../core/base/message.ts'
import { mcpContent } from '../models/mcp-content.ts'

/** Possible values of an argument, from what is written so far and the other arguments. */
export type Complete = (
  written: string,
  others: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>

/** A prompt that a server offers: a text, or messages, made from a few arguments. */
export interface ServedPrompt {
  /** The name that clients ask for it by. */
  readonly name: string
  /** The prompt's name, for people. */
  readonly title?: string
  /** The prompt's purpose. */
  readonly description?: string
  /** The arguments that it takes. */
  readonly arguments?: readonly {
    readonly name: string
    readonly description?: string
    readonly required?: boolean
    /** Possible values, for clients that complete what a person writes. */
    readonly complete?: Complete
  }[]
  /** Makes it. A text is one message of the user. */
  get(args: Readonly<Record<string, string>>): string | readonly NewMessage[] | Promise<string | readonly NewMessage[]>
}

export function servePrompts(server: Server, prompts: readonly ServedPrompt[]): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(describe) }))
  server.setRequestHandler('prompts/get', async ({ params }): Promise<GetPromptResult> => {
    const { arguments: args = {} } = params
    const prompt = findPrompt(prompts, params.name)
    const missing = prompt.arguments?.find(({ name, required }) => required && args[name] === undefined)
    if (missing)
      throw new TurnbuckleError('mcp.argument', `The prompt "${prompt.name}" needs the argument "${missing.name}".`)
    const made = await prompt.get(args)
    const messages: readonly NewMessage[] =
      typeof made === 'string' ? [{ role: 'user', content: [{ type: 'text', text: made }] }] : made
    return {
      ...(prompt.description === undefined ? {} : { description: prompt.description }),
      messages: messages.flatMap(toMcp),
    }
  })
}

const describe = ({ name, title, description, arguments: args = [] }: ServedPrompt) => ({
  name,
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  arguments: args.map(({ name, description, required = false }) => ({
    name,
    required,
    ...(description === undefined ? {} : { description }),
  })),
})

/** A message of the protocol has one part; system messages are told as the user's. */
const toMcp = ({ role, content }: NewMessage): GetPromptResult['messages'] =>
  (typeof content === 'string' ? [content] : content).flatMap(part =>
    mcpContent(typeof part !== 'string' && part.type === 'text' ? part.text : part).map(content => ({
      role: role === 'assistant' ? ('assistant' as const) : ('user' as const),
      content,
    })),
  )

export function findPrompt(prompts: readonly ServedPrompt[], name: string): ServedPrompt {
  const prompt = prompts.find(prompt => prompt.name === name)
  if (prompt) return prompt
  const names = prompts.map(prompt => prompt.name).join(', ')
  throw new TurnbuckleError('mcp.unknown', `There is no prompt "${name}". Prompts here: ${names}.`)
}

/** The most values that a client is told. */
const most = 100

export async function completed(
  complete: Complete | undefined,
  written: string,
  others: Readonly<Record<string, string>>,
): Promise<CompleteResult> {
  const values = (await complete?.(written, others)) ?? []
  return { completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most } }
}
