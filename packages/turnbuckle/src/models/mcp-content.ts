import type { FilePart } from '../core/base/message.ts'
import { isWhole, readData, toBase64 } from './provider-file.ts'
import { type Shown, shownParts } from './provider-result.ts'

/** A part of a tool's result, as an MCP server sends it. */
export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly mimeType: string; readonly data: string }
  | {
      readonly type: 'resource'
      readonly resource:
        | { readonly uri: string; readonly mimeType: string; readonly blob: string }
        | { readonly uri: string; readonly mimeType: string; readonly text: string }
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
  const uri = name !== undefined && URL.canParse(name) ? name : `attachment:${encodeURIComponent(name ?? 'file')}`
  return { type: 'resource', resource: { uri, mimeType, ...(readText(mimeType, blob) ?? { blob }) } }
}

/** The text of a file of text. */
function readText(mimeType: string, base64: string): { readonly text: string } | undefined {
  if (!/^text\/|[/+]json$/.test(mimeType)) return undefined
  try {
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return undefined
  }
}
