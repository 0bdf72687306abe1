import type { CallToolResult } from '@modelcontextprotocol/client'
import { TurnbuckleError } from '../core/base/errors.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { stripControls } from '../tools/control.ts'
import { callServerTool } from './call-server-tool.ts'
import type { OpenCalls } from './open-calls.ts'
import { type Definition, isReadOnly, pinOf } from './pins.ts'
import type { ServerLink } from './server-link.ts'

/** A server's tool as one of ours. It runs only while the server still describes it as the model was told. */
export function mcpTool(link: ServerLink, definition: Definition, name: string, calls: OpenCalls): Tool {
  const pin = pinOf(definition)
  return tool<Record<string, unknown>>({
    name,
    description: stripControls(definition.description ?? ''),
    schema: definition.inputSchema,
    readOnly: isReadOnly(definition),
    async run(args, ctx) {
      await link.open()
      const now = link.definitions.find(other => other.name === definition.name)
      if (!now || (await pinOf(now)) !== (await pin))
        throw new TurnbuckleError('mcp.changed', `"${link.name}" has changed or removed this tool. Look at it again.`)
      const call = { name: definition.name, arguments: args }
      return readResult(await callServerTool(link, call, ctx, calls.find(ctx)))
    },
  })
}

type Content = CallToolResult['content'][number]

/**
 * Structured content where there is some and the rest is text, which says the same for older clients; text where there is only text;
 * parts where there is more; what the server calls an error is thrown.
 */
function readResult({ content = [], structuredContent, isError }: CallToolResult): unknown {
  const parts = content.map(readContent)
  const onlyText = parts.every(part => typeof part === 'string')
  if (isError) {
    const said = onlyText ? parts.join('\n') : JSON.stringify(parts)
    throw new TurnbuckleError('mcp.error', said || 'The server says that it failed, and not why.', { kind: 'tool' })
  }
  const text = onlyText ? parts.join('\n') : undefined
  if (structuredContent === undefined) return text ?? parts
  if (text !== undefined) return isWrapped(structuredContent, text) ? text : structuredContent
  return [JSON.stringify(structuredContent), ...parts.filter(isNoText)]
}

/** The result as text, for a program; what the server calls an error is thrown. */
export function textOfResult(result: CallToolResult): string {
  const value = readResult(result)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** True for `{ content: text }` and the like: the text alone says it, and reads better. */
function isWrapped(structured: unknown, text: string): boolean {
  const members = Object.values(structured ?? {})
  return members.length === 1 && members[0] === text
}

const isNoText = (part: unknown): boolean => typeof part !== 'string'

export function readContent(content: Content): unknown {
  if (content.type === 'text') return stripControls(content.text)
  if (content.type === 'image' || content.type === 'audio')
    return { type: 'file', mediaType: content.mimeType, data: content.data }
  if (content.type === 'resource') return readResource(content.resource)
  if (content.type === 'resource_link') return { type: 'source', url: content.uri, title: content.name }
  return content
}

type Resource = Extract<Content, { type: 'resource' }>['resource']

export function readResource(resource: Resource): unknown {
  if ('text' in resource) return stripControls(resource.text)
  return { type: 'file', mediaType: resource.mimeType ?? 'application/octet-stream', data: resource.blob }
}
