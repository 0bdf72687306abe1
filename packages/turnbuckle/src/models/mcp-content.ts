import type { FilePart } from '../core/base/message.ts'
import { isWhole, readData, toBase64 } from './provider-file.ts'
import { type Shown, shownParts } from './provider-result.ts'

/** A part of a tool's result, as an MCP server sends it. */
export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly mimeType: string; readonly data: string }
  | {
      readonly type: 'resource'
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string }
    }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly mimeType: string }

/** Files stay files, unless `show` says otherwise; anything else is text. */
export function mcpContent(value: unknown, show: (part: Shown) => Shown = part => part): McpContent[] {
  const parts = shownParts(value)?.map(show)
  if (parts) return parts.map(part => (part.type === 'text' ? part : fileContent(part)))
  return [{ type: 'text', text: typeof value === 'string' ? value : (JSON.stringify(value) ?? '') }]
}

function fileContent({ mediaType: mimeType, data: given, name }: FilePart): McpContent {
  const data = readData(given)
  if (data instanceof URL) return { type: 'resource_link', uri: data.href, name: name ?? data.href, mimeType }
  if (!isWhole(data)) return { type: 'text', text: `[${name ?? mimeType}: a file that cannot be read]` }
  const blob = toBase64(data)
  if (mimeType.startsWith('image/')) return { type: 'image', mimeType, data: blob }
  if (mimeType.startsWith('audio/')) return { type: 'audio', mimeType, data: blob }
  return { type: 'resource', resource: { uri: `attachment:${encodeURIComponent(name ?? 'file')}`, mimeType, blob } }
}
