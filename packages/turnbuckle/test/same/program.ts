/** A random program as plain data: printed in full when it differs, and made smaller by leaving things out. */
export interface Program {
  readonly seed: number
  readonly kind: Kind
  readonly owners: readonly OwnerPlan[]
  /** Ready-made middleware, by the name of its maker. */
  readonly ready: readonly string[]
  readonly script: readonly ReplyPlan[]
  /** Replies follow from the place in the history (for programs that are resumed), or from the number of the call. */
  readonly replies: 'path' | 'count'
  readonly loop: 'plain' | 'intercept' | 'observe'
  readonly pipeline: readonly PipelinePlan[]
  readonly errors: readonly (readonly [kind: string, does: 'stop' | 'ignore'])[]
  /** `paced`: calls go side by side, each begins in an instant of its own. */
  readonly batches: 'serial' | 'paced'
  readonly parallel: number
  readonly settings: Settings
  readonly history: readonly string[]
  readonly turns: readonly TurnPlan[]
  readonly people: readonly PersonPlan[]
  /** `later`: one that answers later, as a database over the network does. */
  readonly store: 'none' | 'memory' | 'sqlite' | 'later'
  readonly crashes: readonly CrashPlan[]
}

export const kinds = ['core', 'managed', 'stored', 'crashed', 'across'] as const
export type Kind = (typeof kinds)[number]

export interface HookPlan {
  readonly hook: string
  readonly act: string
  /** Acts at this occurrence only; -1: at each. */
  readonly at: number
  /** Waits before it acts: not at all, for a microtask, or so many virtual milliseconds. */
  readonly wait: 'none' | 'micro' | number
  /** Chooses what it acts on, and lasts so many virtual milliseconds. */
  readonly pick: number
}
export interface OwnerPlan {
  readonly guard: boolean
  readonly priority: number
  readonly onFailure?: 'open' | 'closed'
  readonly timeout?: number
  readonly tools?: readonly string[]
  readonly scope?: 'turn' | 'branch' | 'conversation'
  /** Is at every hook of every stage, or at all hooks there are, and only looks. */
  readonly watches: false | 'stages' | 'all'
  readonly hooks: readonly HookPlan[]
}
export interface CallPlan {
  readonly name: string
  readonly id?: string
  readonly args: unknown
  /** The model shows the call's arguments while it writes them. */
  readonly calling: boolean
}
export interface ReplyPlan {
  readonly texts: readonly string[]
  readonly reasoning?: string
  readonly calls: readonly CallPlan[]
  readonly extra?: string
  /** Virtual milliseconds before the first chunk, and between chunks. */
  readonly delay: number
  readonly gap: number
  readonly fails?: 'start' | 'middle' | 'end' | 'rate'
  readonly usage: 'none' | 'tokens' | 'cost' | 'twice'
  readonly finish?: string
  readonly inArrays: boolean
  /** Never ends, and does not listen. */
  readonly hangs: boolean
}
export interface PipelinePlan {
  readonly op: 'before' | 'after' | 'replace' | 'remove' | 'performance' | 'debug'
  readonly stage: string
  readonly does: string
}
export interface Settings {
  readonly maxSteps: number
  readonly breaker: boolean
  readonly instructions: string
  readonly cleanupMs: number
  readonly maxDepth: number
}
export interface TurnPlan {
  readonly place: 'head' | 'fork' | 'checkout' | 'root'
  readonly pick: number
  readonly text: string
  /** A file besides the text: as text, as bytes, by its address. */
  readonly file?: 'text' | 'bytes' | 'url'
  readonly use?: OwnerPlan
  readonly tag: boolean
}
export interface PersonPlan {
  /** When an event of this type is told for the n-th time, or at a virtual time of the turn. */
  readonly when: { readonly event: string; readonly nth: number } | { readonly ms: number }
  readonly does: string
  readonly pick: number
}
export interface CrashPlan {
  /** `close`: the agent is closed there, and parks its turns. */
  readonly at: 'commit' | 'time' | 'tool' | 'model' | 'hook' | 'close'
  readonly n: number
  /** The commit is done, and never acknowledged. */
  readonly done: boolean
}
