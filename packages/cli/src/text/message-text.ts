import type { Message, Part } from 'turnbuckle'
import { callLine } from './call-line.ts'
import { cleanText } from './clean-text.ts'
import { oneLine } from './one-line.ts'
import { partsBesides } from './own-words.ts'
import { visibleValue } from './visible-value.ts'

const names = { user: 'You', assistant: 'Assistant', tool: 'Tool', system: 'System' } as const

/** A message for reading: text as it is, calls and results in a line each. */
export function messageText({ role, content, interrupted }: Message): string {
  const lines = content.map(partText).filter(Boolean)
  const mark = interrupted ? ' (interrupted)' : ''
  return `${names[role]}${mark}:\n${lines.join('\n')}`
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return cleanText(part.text)
    case 'reasoning':
      return `(thought: ${oneLine(part.text, 200)})`
    case 'call':
      return `→ ${oneLine(part.name)} ${oneLine(visibleValue(part.args), 200)}`
    case 'result':
      return `← ${oneLine(part.name)} ${part.status}: ${oneLine(visibleValue(part.value), 200)}`
    case 'file':
      return `[file ${oneLine(part.name ?? part.mediaType)}]`
    case 'source':
      return `[source ${oneLine(part.title ?? part.url ?? part.name ?? '')}]`
    case 'custom':
      return ''
  }
}

/** A message in one line: a call by the argument that matters, `→ shell ls -la`; a person's own words without what was told besides. */
export function messageLine({ role, content }: Message, width: number): string {
  const besides = new Set(role === 'user' ? partsBesides({ content }) : [])
  const text = content.map(part => {
    if (part.type === 'text') return besides.has(part) ? '' : part.text
    if (part.type === 'call') return `→ ${oneLine(part.name)} ${callLine(part.args, 200)}`
    return part.type === 'reasoning' ? '' : partText(part)
  })
  return `${names[role]}: ${oneLine(text.filter(Boolean).join(' '), Math.max(10, width - names[role].length - 2))}`
}
