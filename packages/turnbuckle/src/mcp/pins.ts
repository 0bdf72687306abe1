import { block } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { Tool } from '../core/types/tool.ts'
import { digest } from './digest.ts'

/** A server's definition of one of its tools. */
export interface Definition {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: object
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined
}

/** Remembers what each tool looked like when it was first seen, or last agreed to. */
export interface PinStore {
  /** The fingerprint of a tool's definition, if one is kept. */
  get(key: string): string | undefined | Promise<string | undefined>
  /** Keeps the fingerprint of a tool's definition. */
  set(key: string, pin: string): void | Promise<void>
}

export function memoryPins(): PinStore {
  const pins = new Map<string, string>()
  return { get: key => pins.get(key), set: (key, pin) => void pins.set(key, pin) }
}

/** A hash of the name, description and schema, and whether it says that it only reads; the same whatever the order of keys. */
export const pinOf = (definition: Definition): Promise<string> => {
  const { name, description = '', inputSchema } = definition
  return digest(canonical([name, description, inputSchema, ...(isReadOnly(definition) ? ['read-only'] : [])]))
}

export const isReadOnly = ({ annotations }: Definition): boolean => annotations?.readOnlyHint === true

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

/** A tool that is not what it was. */
export interface Changed {
  readonly server: string
  readonly key: string
  readonly pin: string
}

/** Brings the tools, and asks a person before a tool runs whose definition has changed, whatever was allowed before. */
export function pinned(
  name: string,
  tools: readonly Tool[],
  changed: Map<string, Changed>,
  pins: PinStore,
): Middleware {
  return middleware({
    name,
    guard: true,
    provides: tools,
    async beforeTool(ctx) {
      const { name } = ctx.call
      const change = changed.get(name)
      if (!change) return
      const tool = tools.find(tool => tool.name === name)
      const reason = `The server "${change.server}" has changed this tool since it was first used.`
      const payload = { ...ctx.call, reason, tool: { description: tool?.description, schema: tool?.schema } }
      const answer = await ctx.ask('permission', payload, { fallback: 'deny' })
      if (answer.decision === 'deny') return block(answer.reason ?? reason)
      await pins.set(change.key, change.pin)
      changed.delete(name)
    },
  })
}
