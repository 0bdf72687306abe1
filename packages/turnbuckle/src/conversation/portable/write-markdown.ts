import type { Part, Role } from '../../core/base/message.ts'
import { mapLines, markdownMark, roles, type Said, thought } from './markdown-mark.ts'

const nameOf = (role: Role): string => Object.keys(roles).find(name => roles[name] === role) as string

/** A path of messages as Markdown for people. `readMarkdown` reads it again. */
export function writeMarkdown(title: string, path: readonly Said[]): string {
  const sections = path.map(({ role, content, interrupted }) => {
    const cut = interrupted ? ' (interrupted)' : ''
    return `## ${nameOf(role)}${cut}\n\n${content.filter(isForPeople).map(written).join('\n\n')}\n`
  })
  return [`# ${title.replace(/\s+/g, ' ')}\n`, ...sections].join('\n')
}

type ForPeople = Exclude<Part, { type: 'custom' }>
const isForPeople = (part: Part): part is ForPeople => part.type !== 'custom'

function written(part: ForPeople): string {
  switch (part.type) {
    case 'text':
      return escaped(part.text)
    case 'reasoning':
      return `${thought}\n${mapLines(part.text, line => `> ${line}`)}`
    case 'call':
      return `Calls \`${part.name}\`:\n\n${fenced(json(part.args), 'json')}`
    case 'result':
      return `\`${part.name}\` (${part.status}):\n\n${typeof part.value === 'string' ? fenced(part.value) : fenced(json(part.value), 'json')}`
    case 'file':
      return `[file: ${part.name ?? part.mediaType}]`
    case 'source':
      return `[source: ${part.title ?? part.url ?? part.name ?? ''}]`
    default:
      return part satisfies never
  }
}

const json = (value: unknown): string => JSON.stringify(value ?? null, undefined, 2)
const escaped = (text: string): string => mapLines(text, line => (markdownMark.test(line) ? `\\${line}` : line))

/** A fence longer than any in the text. */
function fenced(text: string, language = ''): string {
  let longest = 2
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
