import type { WireNode } from 'turnbuckle/client'
import { attempt } from '../state/app-state.ts'
import { pathTo, textOf } from '../state/path.ts'
import { pretty } from '../ui/format.ts'

/** JSON holds the whole tree, Markdown the path to the head. */
export async function exportConversation(id: string, format: 'md' | 'json'): Promise<void> {
  const copy = await attempt(client => client.exportConversation(id))
  if (!copy) return
  const nodes = new Map(copy.nodes.map(node => [node.id, node]))
  const text = format === 'json' ? pretty(copy) : markdown(copy.title, pathTo(nodes, copy.head))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: format === 'json' ? 'application/json' : 'text/markdown' }))
  link.download = `${copy.title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'conversation'}.${format}`
  link.click()
  URL.revokeObjectURL(link.href)
}

function markdown(title: string, path: readonly WireNode[]): string {
  const names = { user: 'You', assistant: 'Assistant', tool: 'Tool', system: 'System' }
  const sections = path.map(({ message }) => {
    const results = message.content
      .filter(part => part.type === 'call' || part.type === 'result')
      .map(part =>
        part.type === 'call'
          ? `\`${part.name}\`\n\n\`\`\`json\n${pretty(part.args)}\n\`\`\``
          : `\`${part.name}\`: ${part.status}\n\n\`\`\`\n${pretty(part.value)}\n\`\`\``,
      )
    return [`## ${names[message.role]}`, textOf(message), ...results].filter(Boolean).join('\n\n')
  })
  return `# ${title}\n\n${sections.join('\n\n')}\n`
}
