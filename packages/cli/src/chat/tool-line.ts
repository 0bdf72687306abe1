import { duration, oneLine, visible } from '../terminal-text.ts'
import type { ToolItem } from './state.ts'

/** `1.2 s` while it runs and after. */
export const timeOf = ({ durationMs, startedAt, status }: ToolItem, now: number): string =>
  durationMs !== undefined
    ? duration(durationMs)
    : status !== 'running' || !startedAt
      ? ''
      : duration(Math.max(0, now - startedAt))

/** `shell  ls -la`: the argument that matters, or all of them. */
export function callLine(args: unknown, width: number): string {
  const { command, path, url, pattern, expression, question } = (args ?? {}) as Record<string, unknown>
  const main = command ?? path ?? url ?? pattern ?? expression ?? question
  return oneLine(visible(typeof main === 'string' ? main : (args ?? '')), width)
}
