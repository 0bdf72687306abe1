import type { ErrorPolicy } from '../base/errors.ts'
import type { Clock, Ids, Model } from '../base/ports.ts'
import type { Store } from '../durable/log-port.ts'
import type { SchemaCheck } from '../tools/check-by-schema.ts'
import type { Use } from '../types/middleware.ts'
import type { Pipeline } from '../types/pipeline.ts'
import type { Tool } from '../types/tool.ts'

/** The options of an agent whose pipeline has been chosen. */
export interface AgentOptions {
  /** The model that replies. */
  readonly model: Model
  /** Names it in traces and for its callers. `agent` by default. */
  readonly name?: string
  /** System text for every model call. A function is asked anew for each. */
  readonly instructions?: string | (() => string)
  /** The tools that the model may call. */
  readonly tools?: readonly Tool[]
  /** Middleware, in the order of registration. Lists may hold lists. */
  readonly use?: readonly Use[]
  /** The order of stages. */
  readonly pipeline: Pipeline
  /**
   * Pipelines that hooks hand over to with `goto(pipeline)`, by a name that stays: hooks of their stages may be registered, and a turn
   * that was handed to one can be resumed.
   */
  readonly pipelines?: Readonly<Record<string, Pipeline>>
  /** 50 by default; `Infinity` removes the limit. */
  readonly maxSteps?: number
  /** The most calls of a batch that run at once; all by default. */
  readonly parallelTools?: number
  /** The most turns inside each other: agents that call agents, hooks that call the loop. 8 by default. */
  readonly maxDepth?: number
  /**
   * Per kind of error: whether it stops the turn once no hook has handled it. `{ hook: 'ignore' }` is the soft mode of hooks: a hook that
   * fails is told of and is as if it were not there, but for guards and middleware with `onFailure: 'closed'`.
   */
  readonly errors?: ErrorPolicy
  /** Milliseconds that hooks have for cleaning up after an interrupt. 5,000 by default. */
  readonly cleanupMs?: number
  /**
   * Checks the arguments of tools that came with JSON Schema only (MCP, `schema`). By default the words that forms are made of: types,
   * required and unknown members, values, limits. `loadSchemaCheck` of `turnbuckle/tools` knows every word.
   */
  readonly schemaCheck?: SchemaCheck
  /** The source of time; another one for tests. */
  readonly clock?: Clock
  /** The source of ids; another one for tests. */
  readonly ids?: Ids
  /** The store that keeps conversations. Without one they live in memory. */
  readonly store?: Store | undefined
}
