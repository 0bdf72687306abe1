import { type FilePart, type NewMessage, type Part, type TextPart, TurnbuckleError } from 'turnbuckle'

/** A message, or another item of a history, as OpenAI's clients send it. */
export interface SentItem {
  readonly type?: string | null | undefined
  readonly role?: string | null | undefined
  readonly content?: string | readonly SentPart[] | null | undefined
  readonly [field: string]: unknown
}
interface SentPart {
  readonly type: string
  readonly [field: string]: unknown
}

/** A request without a state of its own, in the words of the library. */
export interface GivenInput {
  /** System text, for this turn alone. */
  readonly instructions: string
  /** The messages before the question. */
  readonly history: readonly NewMessage[]
  readonly question: readonly (TextPart | FilePart)[]
}

/** Reads the messages of a request. The last one has to be a person's. */
export function givenInput(items: readonly SentItem[]): GivenInput {
  const instructions: string[] = []
  const history: NewMessage[] = []
  // Reasoning that a client sends back is the model's, and the server has it.
  for (const item of items.filter(({ type }) => type !== 'reasoning')) {
    const message = messageOf(item)
    if (message.role === 'system') instructions.push(textIn(message.content))
    else history.push(message)
  }
  const question = history.pop()
  if (question?.role !== 'user') throw new TurnbuckleError('body.invalid', 'The last message must be a user’s.')
  return {
    instructions: instructions.filter(Boolean).join('\n\n'),
    history,
    question: (question.content as Part[]).filter(part => part.type === 'text' || part.type === 'file'),
  }
}

const textIn = (content: NewMessage['content']): string =>
  typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '')).join('')

const roles: Readonly<Record<string, NewMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
}

function messageOf(item: SentItem): NewMessage {
  const role = roles[item.role ?? '']
  if (!role || (item.type && item.type !== 'message'))
    throw new TurnbuckleError(
      'body.invalid',
      `A ${item.type ?? item.role ?? 'message without a role'} cannot be read here.`,
    )
  const content = typeof item.content === 'string' ? [{ type: 'text', text: item.content }] : (item.content ?? [])
  const parts = content.map(partOf)
  if (role === 'tool') return { role, content: [resultPart(item, textIn(parts))] }
  return { role, content: role === 'assistant' ? [...parts, ...callParts(item)] : parts }
}

/** Calls and results of a history that is from elsewhere: our own answers have none. */
function callParts({ tool_calls: calls }: SentItem): Part[] {
  if (!Array.isArray(calls)) return []
  return (calls as { id?: unknown; function?: { name?: unknown; arguments?: unknown } }[]).map(
    ({ id, function: called }) => ({
      type: 'call',
      id: String(id),
      name: String(called?.name),
      args: parsed(called?.arguments),
    }),
  )
}
const resultPart = ({ tool_call_id: id, name }: SentItem, value: string): Part => ({
  type: 'result',
  id: String(id),
  name: String(name ?? 'tool'),
  status: 'ok',
  value,
})
function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return text
  }
}

function partOf(part: SentPart): TextPart | FilePart {
  switch (part.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: String(part['text'] ?? '') }
    case 'refusal':
      return { type: 'text', text: String(part['refusal'] ?? '') }
    case 'image_url':
      return filePart((part['image_url'] as { url?: unknown } | undefined)?.url)
    case 'input_image':
      return filePart(part['image_url'])
    case 'file':
    case 'input_file': {
      const { file_data: data, filename } = (part['file'] ?? part) as { file_data?: unknown; filename?: unknown }
      return { ...filePart(data), ...(typeof filename === 'string' ? { name: filename } : {}) }
    }
    default:
      throw new TurnbuckleError('body.invalid', `A part of the type "${part.type}" cannot be read here.`)
  }
}

function filePart(url: unknown): FilePart {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(String(url)) ?? []
  if (mediaType === undefined || data === undefined)
    throw new TurnbuckleError('body.invalid', 'Files are sent as data URLs: data:image/png;base64,…')
  return { type: 'file', mediaType, data }
}
