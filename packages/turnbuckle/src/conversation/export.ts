import { TurnbuckleError } from '../core/errors.ts'
import type { Part } from '../core/message.ts'
import type { LogRecord, NodeRow } from './driver.ts'
import { type PortableConversation, type PortableNode, readPortable } from './portable.ts'
import { repair } from './repair.ts'
import type { ConversationStore } from './store.ts'

/** A conversation as text: JSON with every branch, which can be imported again, or Markdown of the path to the head. */
export async function exportConversation(
  store: ConversationStore,
  id: string,
  format: 'json' | 'md' = 'json',
): Promise<string> {
  const row = await store.conversation(id)
  if (!row) throw new TurnbuckleError('conversation.missing', `There is no conversation "${id}".`)
  const { title, head } = row
  if (format === 'md') return markdown(title ?? id, head === undefined ? [] : await store.path(id, head))
  const nodes = (await store.nodes(id)).map(portable)
  const file: PortableConversation = { format: 'turnbuckle', version: 1, id, title, head, nodes }
  return `${JSON.stringify(file, undefined, 2)}\n`
}

const portable = ({ id, parent, turn, at, message, usage }: NodeRow): PortableNode => ({
  id,
  parent,
  turn,
  at,
  message,
  usage,
})

/**
 * Puts an exported conversation into a store. Plain data through a schema: what is not known is refused, nothing of it
 * is run, and calls without a result get one. Returns its id.
 */
export async function importConversation(
  store: ConversationStore,
  json: string,
  options: { readonly id?: string; readonly owner?: string } = {},
): Promise<string> {
  const { title, head, nodes, ...file } = repair(readPortable(parse(json)))
  const id = options.id ?? file.id
  if (await store.conversation(id))
    throw new TurnbuckleError(
      'conversation.exists',
      `There is a conversation "${id}" already. Import it under another id, or delete that one.`,
    )
  const bodies = nodes.flatMap(recordsOf)
  if (title !== undefined) bodies.push({ turn: undefined, type: 'title.changed', body: { to: title, at: Date.now() } })
  const records = bodies.map((record, i) => ({ ...record, seq: i + 1 }))
  const { owner } = options
  const commit = {
    conversation: id,
    holder: 'import',
    fence: undefined,
    leaseMs: 0,
    release: true,
    records,
    head,
    owner,
  }
  await store.driver.commit(commit)
  return id
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new TurnbuckleError('import.invalid', `This is no JSON: ${(error as Error).message}`)
  }
}

type Body = Omit<LogRecord, 'n' | 'seq'>

function recordsOf({ id, parent, turn, at, message, usage }: PortableNode): Body[] {
  const body = { messageId: id, parentId: parent, role: message.role, message, at }
  const added: Body = { turn, type: 'message.added', body }
  return usage ? [added, { turn, type: 'usage', body: { messageId: id, ...usage, total: usage, at } }] : [added]
}

const names = { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' } as const

function markdown(title: string, path: readonly NodeRow[]): string {
  const sections = path.map(({ message }) => {
    const cut = message.interrupted ? ' (interrupted)' : ''
    return `## ${names[message.role]}${cut}\n\n${message.content.map(partText).join('\n\n')}\n`
  })
  return [`# ${title}\n`, ...sections].join('\n')
}

/** A fence longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return part.text.replace(/^/gm, '> ')
    case 'call':
      return `Calls \`${part.name}\`:\n\n${fenced(JSON.stringify(part.args, undefined, 2), 'json')}`
    case 'result':
      return `\`${part.name}\` (${part.status}):\n\n${fenced(asText(part.value))}`
    case 'file':
      return `[file: ${part.name ?? part.mediaType}]`
    case 'source':
      return `[source: ${part.title ?? part.url ?? ''}]`
    default:
      return part satisfies never
  }
}
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))
