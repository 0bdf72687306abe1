import { keptFileId } from '../base/kept-file.ts'
import type { FilePart, Message, Part } from '../base/message.ts'
import type { StreamOptions } from '../base/ports.ts'

type ReadFile = NonNullable<StreamOptions['readFile']>

/** The messages with the bytes of their kept files. A file that is not there any more is named in words. Other messages stay as they are. */
export async function wholeMessages(
  messages: readonly Message[],
  readFile: ReadFile | undefined,
): Promise<readonly Message[]> {
  return Promise.all(messages.map(message => (hasKeptFile(message) ? wholeMessage(message, readFile) : message)))
}

export const hasKeptFile = ({ content }: Message): boolean =>
  content.some(part => part.type === 'file' && keptFileId(part.data) !== undefined)

async function wholeMessage(message: Message, readFile: ReadFile | undefined): Promise<Message> {
  const whole = async (part: Part): Promise<Part> => (part.type === 'file' ? wholeFile(part, readFile) : part)
  return { ...message, content: await Promise.all(message.content.map(whole)) }
}

async function wholeFile(part: FilePart, readFile: ReadFile | undefined): Promise<Part> {
  const id = keptFileId(part.data)
  if (id === undefined) return part
  const data = await readFile?.(id)
  if (data !== undefined) return { ...part, data }
  return { type: 'text', text: `[${part.name ?? part.mediaType}: a file that is not there any more]` }
}
