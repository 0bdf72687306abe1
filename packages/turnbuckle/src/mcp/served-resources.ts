import type { ReadResourceResult, Server } from '@modelcontextprotocol/server'
import { toBase64 } from '../models/provider-file.ts'
import type { Complete } from './served-prompts.ts'

/** A thing that a server lets clients read, by its address; or many, by a pattern of addresses: `notes://{day}`. */
export interface ServedResource {
  /** The address, or a pattern of addresses with variables in braces (RFC 6570). */
  readonly uri: string
  /** The resource's name. */
  readonly name: string
  /** The resource's name, for people. */
  readonly title?: string
  /** The resource's content, in a sentence. */
  readonly description?: string
  /** The media type. `text/plain` for text by default. */
  readonly mimeType?: string
  /** Reads it. Text, bytes, or a value that is told as JSON. */
  read(uri: string, variables: Readonly<Record<string, string>>): unknown
  /** Possible values of the pattern's variables, for clients that complete what a person writes. */
  readonly complete?: Readonly<Record<string, Complete>>
}

type Sdk = typeof import('@modelcontextprotocol/server')

const isPattern = ({ uri }: ServedResource): boolean => uri.includes('{')

/** Serves the resources to one client. `subscribed` holds the addresses whose changes it wants to hear of. */
export function serveResources(
  sdk: Sdk,
  server: Server,
  resources: readonly ServedResource[],
  subscribed: Set<string>,
): void {
  const single = resources.filter(resource => !isPattern(resource))
  const patterns = resources.filter(isPattern)
  server.setRequestHandler('resources/list', () => ({
    resources: single.map(resource => ({ uri: resource.uri, ...describe(resource) })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: patterns.map(resource => ({ uriTemplate: resource.uri, ...describe(resource) })),
  }))
  server.setRequestHandler('resources/read', ({ params }) => read(sdk, single, patterns, params.uri))
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    subscribed.add(params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri)
    return {}
  })
}

async function read(
  sdk: Sdk,
  single: readonly ServedResource[],
  patterns: readonly ServedResource[],
  uri: string,
): Promise<ReadResourceResult> {
  const named = single.find(resource => resource.uri === uri)
  if (named) return contents(named, uri, await named.read(uri, {}))
  for (const pattern of patterns) {
    const found = new sdk.UriTemplate(pattern.uri).match(uri)
    if (!found) continue
    const variables = Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]))
    return contents(pattern, uri, await pattern.read(uri, variables))
  }
  throw new sdk.ResourceNotFoundError(uri, `There is no resource "${uri}".`)
}

function contents({ mimeType }: ServedResource, uri: string, value: unknown): ReadResourceResult {
  if (value instanceof Uint8Array)
    return { contents: [{ uri, mimeType: mimeType ?? 'application/octet-stream', blob: toBase64(value) }] }
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const kind = mimeType ?? (typeof value === 'string' ? 'text/plain' : 'application/json')
  return { contents: [{ uri, mimeType: kind, text }] }
}

const describe = ({ name, title, description, mimeType }: ServedResource) => ({
  name,
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  ...(mimeType === undefined ? {} : { mimeType }),
})
