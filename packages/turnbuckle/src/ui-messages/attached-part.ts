import type { Part } from '../core/base/message.ts'
import { fileUrl } from './file-url.ts'

/** A file or a source: the same in the stream and in a UI message. */
export type AttachedPart =
  | { readonly type: 'source-url'; readonly sourceId: string; readonly url: string; readonly title?: string }
  | {
      readonly type: 'source-document'
      readonly sourceId: string
      readonly mediaType: string
      readonly title: string
    }
  | { readonly type: 'file'; readonly mediaType: string; readonly url: string }

/** The UI part of a file or source of a reply; `undefined` for any other part, and for a source without address and title. */
export function attachedPart(part: Part, messageId: string, index: number): AttachedPart | undefined {
  if (part.type === 'file') return { type: 'file', mediaType: part.mediaType, url: fileUrl(part) }
  if (part.type !== 'source') return undefined
  const { url, title } = part
  const sourceId = `${messageId}.source.${index}`
  if (url) return { type: 'source-url', sourceId, url, ...(title ? { title } : {}) }
  return title ? { type: 'source-document', sourceId, mediaType: 'text/plain', title } : undefined
}
