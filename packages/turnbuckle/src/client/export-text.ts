import type { PortableConversation } from '../conversation/portable/portable-conversation.ts'
import { writeMarkdown } from '../conversation/portable/write-markdown.ts'
import type { Calls } from './calls.ts'
import type { WireNode } from './wire.ts'

type Copy = Awaited<ReturnType<Calls['exportConversation']>>

/** A copy of a conversation as a file that `turnbuckle import` reads: JSON with every branch, or Markdown of the path. */
export function exportText(copy: Copy, format: 'json' | 'md'): string {
  const { id, title, head } = copy
  if (format === 'md') return writeMarkdown(title, messagesOn(copy))
  const file: PortableConversation = {
    format: 'turnbuckle',
    version: 1,
    id,
    title: title || undefined,
    head: head ?? undefined,
    nodes: copy.nodes.map(({ id, parentId, turnId, createdAt: at, message, usage }) => ({
      id,
      parent: parentId ?? undefined,
      turn: turnId ?? undefined,
      at,
      message,
      usage,
    })),
  }
  return `${JSON.stringify(file, undefined, 2)}\n`
}

function messagesOn({ nodes, head }: Copy): WireNode['message'][] {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const messages: WireNode['message'][] = []
  for (let node = byId.get(head ?? ''); node; node = byId.get(node.parentId ?? '')) messages.unshift(node.message)
  return messages
}
