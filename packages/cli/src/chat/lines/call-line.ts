import { formatDuration } from '../../text/format-count.ts'
import { oneLine } from '../../text/one-line.ts'
import { visibleText } from '../../text/visible-text.ts'
import type { ToolItem } from '../transcript/transcript-item.ts'

/** `1.2 s` while it runs and after. */
export const callTime = ({ durationMs, startedAt, status }: ToolItem, now: number): string =>
  durationMs !== undefined
    ? formatDuration(durationMs)
    : status !== 'running' || !startedAt
      ? ''
      : formatDuration(Math.max(0, now - startedAt))

/** `shell  ls -la`: the argument that matters, or all of them. */
export function callLine(args: unknown, width: number): string {
  const { command, path, url, pattern, expression, question } = (args ?? {}) as Record<string, unknown>
  const main = command ?? path ?? url ?? pattern ?? expression ?? question
  return oneLine(visibleText(typeof main === 'string' ? main : (args ?? '')), width)
}
