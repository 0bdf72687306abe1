import type { StageStatus } from './hook-types.ts'

/** One finished stage or hook, for whoever draws the timeline. Times are of the agent's clock. */
export interface Span {
  readonly kind: 'stage' | 'hook'
  /** The stage: `tool`. */
  readonly stage: string
  /** For a hook: `beforeTool`, and whose. */
  readonly at?: string
  readonly by?: string
  readonly turnId: string
  readonly step: number
  readonly callId?: string | undefined
  /** How deep the stage is nested: 0 for `turn`. */
  readonly depth: number
  readonly startedAt: number
  readonly durationMs: number
  readonly status?: StageStatus
  /** What the hook returned: a directive's name. */
  readonly directive?: string | undefined
  readonly reason?: string | undefined
  readonly error?: string
  /** What the hook changed: `input`, `messages`, `state`. */
  readonly changed?: readonly Change[]
}

export interface Change {
  readonly what: 'input' | 'messages' | 'state'
  readonly before: unknown
  readonly after: unknown
}
