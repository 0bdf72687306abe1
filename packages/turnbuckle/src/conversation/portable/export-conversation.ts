import { TurnbuckleError } from '../../core/base/errors.ts'
import { wholeMessages } from '../../core/model/whole-messages.ts'
import { KeptFiles } from '../files/kept-files.ts'
import type { ConversationStore } from '../stores/create-store.ts'
import type { NodeRow } from '../stores/driver.ts'
import type { PortableConversation, PortableNode } from './portable-conversation.ts'
import { writeMarkdown } from './write-markdown.ts'

/** A conversation as text: JSON with every branch and its files, or Markdown of the path to the head. What is hidden stays out. */
export async function exportConversation(
  store: ConversationStore,
  id: string,
  format: 'json' | 'md' = 'json',
): Promise<string> {
  const row = await store.conversation(id)
  if (!row) throw new TurnbuckleError('conversation.missing', `There is no conversation "${id}".`)
  const { title, head } = row
  const path = head === undefined ? [] : (await store.path(id, head)).filter(shown)
  if (format === 'md')
    return writeMarkdown(
      title ?? id,
      path.map(({ message }) => message),
    )
  const nodes = (await store.nodes(id)).filter(shown).map(portable)
  const messages = await wholeMessages(
    nodes.map(({ message }) => message),
    file => new KeptFiles(store).dataIn(id, file),
  )
  const file: PortableConversation = {
    format: 'turnbuckle',
    version: 1,
    id,
    title,
    head: path.at(-1)?.id,
    nodes: nodes.map((node, i) => ({ ...node, message: messages[i] ?? node.message })),
  }
  return `${JSON.stringify(file, undefined, 2)}\n`
}

/** Messages that follow a hidden one are hidden with it, so that no shown message loses its parent. */
const shown = ({ hidden }: NodeRow): boolean => !hidden
const portable = ({ id, parent, turn, at, message, usage }: NodeRow): PortableNode => ({
  id,
  parent,
  turn,
  at,
  message,
  usage,
})
