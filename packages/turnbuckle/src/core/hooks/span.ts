/** The status of a stage, as its after hooks see it. */
export type StageStatus = 'done' | 'skipped' | 'failed' | 'interrupted'

/** A stage or hook that has begun. Times are of the agent's clock. */
export interface OpenSpan {
  /** Counts from 0 within a turn, in the order they began. */
  readonly id: number
  /** The stage around it; for a hook, the stage it is a hook of. */
  readonly parentId?: number | undefined
  /** Whether a stage has begun or a hook. */
  readonly kind: 'stage' | 'hook'
  /** The stage: `tool`. */
  readonly stage: string
  /** For a hook: `beforeTool`, and whose. */
  readonly at?: string | undefined
  /** The middleware whose hook it is. */
  readonly by?: string | undefined
  /** The turn of the stage or hook. */
  readonly turnId: string
  /** The step, from 0. */
  readonly step: number
  /** The call, for the stage `tool` and its hooks. */
  readonly callId?: string | undefined
  /** The number of stages around this one: 0 for `turn`. */
  readonly depth: number
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number
}

/** A stage or hook that has ended, for a timeline. */
export interface Span extends OpenSpan {
  /** Milliseconds from beginning to end. */
  readonly durationMs: number
  /** The part of `durationMs` in which a person was waited for. */
  readonly waitedMs?: number
  /** The status of a stage; of a hook only `interrupted`, where the turn's interrupt ended it. */
  readonly status?: StageStatus | undefined
  /** The name of the directive that the hook returned. */
  readonly directive?: string | undefined
  /** The reason that the directive gave. */
  readonly reason?: string | undefined
  /** The message of the error that ended it. */
  readonly error?: string | undefined
  /** The things that the hook itself changed, in order: what others changed meanwhile, or inside a wrap's `next`, is not among them. */
  readonly changed?: readonly SpanChange[] | undefined
  /** The model calls of a stage, one for each attempt. */
  readonly exchanges?: readonly ModelExchange[] | undefined
}

/** A model call: what was sent, and what came back. */
export interface ModelExchange {
  /** The model's id. */
  readonly model: string
  /** As the provider's package got it, without headers and keys; of a model that does not tell, the prompt. */
  readonly sent: unknown
  /** The reply, as far as it came. */
  readonly received: unknown
  /** The message of the error that ended the call. */
  readonly error?: string
}

/** A change that a hook made. */
export interface SpanChange {
  /** `input` and `result` are the stage's, `chunk` is a piece of a reply as it streams, `shared` are values of `ctx.shared`. */
  readonly what: 'input' | 'result' | 'chunk' | 'messages' | 'state' | 'shared' | 'instructions'
  readonly before: unknown
  readonly after: unknown
}
