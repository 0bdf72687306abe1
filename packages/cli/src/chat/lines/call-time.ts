import { formatDuration } from '../../text/format-count.ts'
import type { ToolItem } from '../transcript/transcript-item.ts'

/** `1.2 s` while it runs and after. */
export const callTime = ({ durationMs, startedAt, status }: ToolItem, now: number): string =>
  durationMs !== undefined
    ? formatDuration(durationMs)
    : status !== 'running' || !startedAt
      ? ''
      : formatDuration(Math.max(0, now - startedAt))
