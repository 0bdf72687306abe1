import type { Message } from '../core/base/message.ts'
import { fileUrl } from './file-url.ts'
import type { UserPart } from './ui-message-chunk.ts'

/** The words and files of a person's message. */
export const userParts = ({ content }: Pick<Message, 'content'>): UserPart[] =>
  content.flatMap((part): UserPart[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type !== 'file') return []
    const { mediaType, name } = part
    return [{ type: 'file', mediaType, url: fileUrl(part), ...(name ? { filename: name } : {}) }]
  })
