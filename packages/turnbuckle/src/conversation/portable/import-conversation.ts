import { TurnbuckleError } from '../../core/base/errors.ts'
import type { ConversationStore } from '../stores/create-store.ts'
import type { LogRecord } from '../stores/driver.ts'
import { notImportable } from './not-importable.ts'
import { type PortableConversation, type PortableNode, readPortable } from './portable-conversation.ts'
import { readMarkdown } from './read-markdown.ts'
import { repairImported } from './repair-imported.ts'

/**
 * Puts an exported conversation, JSON or Markdown, into a store. Plain data through a schema: unknown members are
 * refused, nothing of it is run, calls without a result get one, and who is named as an author is marked as imported. Returns the
 * conversation's id.
 */
export async function importConversation(
  store: ConversationStore,
  text: string,
  options: { readonly id?: string; readonly owner?: string } = {},
): Promise<string> {
  const { title, head, nodes, ...file } = repairImported(
    readPortable(/^\s*\{/.test(text) ? parse(text) : portableOf(text)),
  )
  const id = options.id ?? file.id
  if (await store.conversation(id))
    throw new TurnbuckleError(
      'conversation.exists',
      `There is a conversation "${id}" already. Import it under another id, or delete that one.`,
    )
  const bodies = nodes.flatMap(recordsOf)
  if (title !== undefined)
    bodies.push({ turn: undefined, type: 'title.changed', body: { to: shortened(title), at: Date.now() } })
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

/** Characters of a title. Every list of conversations has it whole, so that a long one would burden each of their readers. */
const longestTitle = 200
const shortened = (title: string): string =>
  title.length > longestTitle
    ? Array.from(title.slice(0, 2 * longestTitle))
        .slice(0, longestTitle)
        .join('')
    : title

function portableOf(markdown: string): PortableConversation {
  const { title, path } = readMarkdown(markdown)
  const at = Date.now()
  const nodes = path.map((message, i) => ({
    id: `m${i + 1}`,
    ...(i ? { parent: `m${i}` } : {}),
    at,
    message: { id: `m${i + 1}`, ...message },
  }))
  return { format: 'turnbuckle', version: 1, id: `conv_${crypto.randomUUID()}`, title, head: `m${path.length}`, nodes }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw notImportable(`it is not valid JSON (${(error as Error).message})`)
  }
}

const mark = ' (imported)'

/** The author that a file names, which anybody can write: not the name of a person here, of which none has a blank. */
const importedName = (by: string): string => (by.endsWith(mark) ? by : by + mark)

type Body = Omit<LogRecord, 'n' | 'seq'>

function recordsOf({ id, parent, turn, at, message: given, usage }: PortableNode): Body[] {
  const message = given.by === undefined ? given : { ...given, by: importedName(given.by) }
  const body = { messageId: id, parentId: parent, role: message.role, message, at }
  const added: Body = { turn, type: 'message.added', body }
  return usage ? [added, { turn, type: 'usage', body: { messageId: id, ...usage, total: usage, at } }] : [added]
}
