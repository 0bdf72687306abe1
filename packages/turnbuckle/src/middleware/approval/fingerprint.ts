import type { Tool } from '../../core/tool.ts'
import { bytesOf, hexOf, sha256 } from '../sha256.ts'

/** JSON that is the same whatever the order of keys. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}

export const digest = (value: unknown): string => hexOf(sha256(bytesOf(canonical(value))))

const known = new WeakMap<Tool, string>()

/** What a yes is bound to: a tool that changes its description or schema afterwards is another tool. */
export function fingerprint(tool: Tool | undefined): string {
  if (!tool) return 'none'
  const { name, description, schema } = tool
  const kept = known.get(tool) ?? digest({ name, description, schema })
  known.set(tool, kept)
  return kept
}
