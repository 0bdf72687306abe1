import type { FilePart } from '../core/base/message.ts'

/** The address of a recorded file: its own, or a data URL. */
export function fileUrl({ data, mediaType }: FilePart): string {
  const text = String(data)
  return /^(data|https?):/.test(text) ? text : `data:${mediaType};base64,${text}`
}
