import { type FilePart, type Message, toldArgs } from '../core/base/message.ts'
import { namingFiles } from '../core/base/naming-files.ts'
import { described, fileText, readData, toBase64 } from './provider-file.ts'

/** The SDK keeps its own history, which knows no branches: so it gets ours as text, and begins anew in each turn. */
export async function* spoken(messages: readonly Message[]): AsyncGenerator<object> {
  const last = messages.at(-1)
  const earlier = messages.slice(0, -1)
  const content: object[] = []
  if (earlier.length)
    content.push({ type: 'text', text: `<conversation>\n${earlier.map(transcript).join('\n')}\n</conversation>` })
  for (const part of last?.content ?? []) {
    if (part.type === 'text') content.push({ type: 'text', text: part.text })
    if (part.type === 'file') content.push(attachment(part))
  }
  yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null }
}

const transcript = ({ role, content }: Message): string =>
  content
    .map(part => {
      if (part.type === 'text') return `${role}: ${part.text}`
      if (part.type === 'file') return `${role} attached ${described(part, { name: 'you again' })}`
      if (part.type === 'call') return `${role} called ${part.name}: ${JSON.stringify(part.args)}`
      if (part.type === 'result')
        return `${part.name} (${part.status}): ${part.args === undefined ? '' : `${toldArgs(part.args)} `}${JSON.stringify(part.value, namingFiles)}`
      return ''
    })
    .filter(Boolean)
    .join('\n')

function attachment(part: FilePart): object {
  const text = fileText(part)
  if (text !== undefined) return { type: 'text', text }
  const data = readData(part.data)
  const source =
    data instanceof URL
      ? { type: 'url', url: data.href }
      : { type: 'base64', media_type: part.mediaType, data: toBase64(data) }
  return { type: part.mediaType.startsWith('image/') ? 'image' : 'document', source }
}
