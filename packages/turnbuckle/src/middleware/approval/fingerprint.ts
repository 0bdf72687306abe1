import { bytesOf, hexOf, sha256 } from '../../core/base/sha256.ts'
import type { Tool } from '../../core/types/tool.ts'
import { canonical } from '../canonical.ts'

export const digest = (value: unknown): string => hexOf(sha256(bytesOf(canonical(value))))

const known = new WeakMap<Tool, string>()

/** Identifies the tool that a grant is for: one that changes its description or schema afterwards is another tool. */
export function fingerprint(tool: Tool | undefined): string {
  if (!tool) return 'none'
  const { name, description, schema } = tool
  const kept = known.get(tool) ?? digest({ name, description, schema })
  known.set(tool, kept)
  return kept
}
