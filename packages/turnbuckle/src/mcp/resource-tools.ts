import { TurnbuckleError } from '../core/base/errors.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'
import { object, text } from '../tools/arguments.ts'
import { stripControls } from '../tools/control.ts'
import { readResource } from './mcp-tool.ts'
import type { ServerLink } from './server-link.ts'

/** A resource that an MCP server offers. */
export interface McpResource {
  /** The server that offers the resource. */
  readonly server: string
  /** The address of the resource on its server. */
  readonly uri: string
  /** The name of the resource. */
  readonly name: string
  /** The resource's content, in the server's words. */
  readonly description: string
  /** The media type, where the server tells it. */
  readonly mimeType?: string
}

const input = object({ server: text('The server that has it.'), uri: text('Its address there.') })

/** For the model: what the servers have to read, where any has something. */
export function resourceTools(links: readonly ServerLink[], list: () => Promise<readonly McpResource[]>): Tool[] {
  if (!links.some(link => link.hasResources)) return []
  const listTool = tool({
    name: 'list_resources',
    description: 'Lists what the connected servers have to read.',
    idempotent: true,
    readOnly: true,
    run: async () =>
      (await list())
        .map(({ server, uri, name, description }) => stripControls(`${server} ${uri} ${name} ${description}`.trim()))
        .join('\n') || '[nothing]',
  })
  const readTool = tool({
    name: 'read_resource',
    description: 'Reads one of the things that list_resources lists.',
    idempotent: true,
    readOnly: true,
    input,
    async run({ server, uri }, { signal }) {
      const link = findLink(links, server)
      const { contents } = await link.request((client, limit) => client.readResource({ uri }, { signal, ...limit }))
      const read = contents.map(readResource)
      return read.every(part => typeof part === 'string') ? read.join('\n') : read
    },
  })
  return [listTool, readTool]
}

export function findLink(links: readonly ServerLink[], name: string): ServerLink {
  const link = links.find(link => link.name === name)
  if (link) return link
  const names = links.map(link => link.name).join(', ')
  throw new TurnbuckleError('mcp.unknown', `There is no server "${name}". Servers here: ${names}.`)
}
