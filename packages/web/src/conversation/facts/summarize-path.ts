import type { WireNode } from 'turnbuckle/client'
import { formatUsage } from '../../ui/format-usage.ts'
import { usageOnPath } from './usage-on-path.ts'

/** The tokens and cost of a path; where the model counts no tokens, its number of messages. */
export function summarizePath(path: readonly WireNode[]): string {
  const usage = usageOnPath(path)
  if (usage.inputTokens > 0) return formatUsage(usage)
  if (!path.length) return 'nothing yet'
  return path.length === 1 ? 'one message' : `${path.length} messages`
}
