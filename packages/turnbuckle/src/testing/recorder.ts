import type { Call } from '../core/base/message.ts'
import type { Definition } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { StageStatus } from '../core/hooks/span.ts'
import { builtInStages } from '../core/stages/built-in-stages.ts'

/** A call of a hook. */
export interface RecordedCall {
  /** `beforeTool` */
  readonly hook: string
  /** The step, from 0. */
  readonly step: number
  /** The call, for hooks of the stage `tool`. */
  readonly callId?: string
  /** After hooks only. */
  readonly status?: StageStatus
}

/** The options of `recorder`. */
export interface RecorderOptions {
  /** `recorder` by default; two recorders in one agent need two names. */
  readonly name?: string
  /** The place among other middleware; lower runs first. */
  readonly priority?: number
  /** Stages of one's own, besides the built-in ones. */
  readonly stages?: readonly string[]
  /** Hooks to record besides those of stages. */
  readonly on?: readonly ('onChunk' | 'onError' | 'onEvent')[]
}

/** A middleware that records which hooks were called. */
export interface Recorder extends Middleware {
  /** In the order the hooks were called. */
  readonly calls: readonly RecordedCall[]
  /** Forgets what was recorded. */
  clear(): void
}

/** The members that the recorder reads of any context. */
interface Seen {
  readonly step: number
  readonly call?: Call | undefined
  readonly status?: StageStatus
}

/** A middleware at every hook of every stage: it records that the hook was called, and lets everything pass. */
export function recorder(options: RecorderOptions = {}): Recorder {
  const { name = 'recorder', priority = 100, stages = [], on = [] } = options
  const calls: RecordedCall[] = []
  const record = (hook: string, { step, call }: Seen, status?: StageStatus): void => {
    calls.push({ hook, step, ...(call ? { callId: call.id } : {}), ...(status ? { status } : {}) })
  }
  const hooks: Record<string, unknown> = {}
  for (const stage of [...builtInStages.keys(), ...stages]) {
    const [before, wrap, after] = hooksOf(stage)
    hooks[before] = (ctx: Seen) => record(before, ctx)
    hooks[wrap] = (ctx: Seen, next: () => Promise<unknown>) => {
      record(wrap, ctx)
      return next()
    }
    hooks[after] = (ctx: Seen) => record(after, ctx, ctx.status)
  }
  for (const point of on) hooks[point] = (_news: unknown, ctx: Seen) => record(point, ctx)
  const made = middleware({ name, priority, ...hooks } as Definition<undefined>)
  return { ...made, calls, clear: () => void calls.splice(0) }
}

/** `tool` → `beforeTool`, `wrapTool`, `afterTool`. */
export function hooksOf(stage: string): readonly [before: string, wrap: string, after: string] {
  const capital = stage.charAt(0).toUpperCase() + stage.slice(1)
  return [`before${capital}`, `wrap${capital}`, `after${capital}`]
}
