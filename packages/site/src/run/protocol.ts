import type { Decision, Event, OpenSpan, Span, TurnStatus } from 'turnbuckle'

/** The two files that a visitor edits. */
export const fileNames = ['hook.ts', 'agent.ts'] as const
export type FileName = (typeof fileNames)[number]
export type Files = Readonly<Record<FileName, string>>

/** A mistake in a visitor's file, with its place where that is known. Lines and columns count from 1. */
export interface Problem {
  readonly message: string
  readonly file?: FileName
  readonly line?: number
  readonly column?: number
}

/** A hook that the visitor's agent has, for drawing the stages before the turn opens them. */
export interface DrawnHook {
  readonly stage: string
  readonly at: string
  readonly by: string
  readonly guard: boolean
}

/** The agent of a run: its stages in order, and the hooks at them. */
export interface DrawnAgent {
  readonly turnStages: readonly string[]
  readonly stepStages: readonly string[]
  readonly hooks: readonly DrawnHook[]
}

/** A stage or hook that has ended, without the values that cannot leave the worker. */
export type ToldSpan = Omit<Span, 'changed' | 'exchanges'> & { readonly changed: readonly string[] }

/** A thing that a run tells, in the order in which it happened. The page shows them one by one. */
export type Told =
  | { readonly kind: 'agent'; readonly agent: DrawnAgent }
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'opened'; readonly span: OpenSpan }
  | { readonly kind: 'closed'; readonly span: ToldSpan }
  | { readonly kind: 'decisions'; readonly turnId: string; readonly decisions: readonly Decision[] }
  | { readonly kind: 'printed'; readonly text: string }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'ended'; readonly status: TurnStatus; readonly more: boolean }

/** Requests of the page to the worker of a run. */
export type ToWorker =
  | { readonly type: 'start'; readonly files: Files; readonly message?: string }
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'interject'; readonly text: string }
  | { readonly type: 'answer'; readonly requestId: string; readonly answer: unknown }
  /** The next message goes on from this one. */
  | { readonly type: 'checkout'; readonly messageId: string }
  | { readonly type: 'interrupt' }
  /** The page has shown so many of the things told: the turn may go on. */
  | { readonly type: 'shown'; readonly count: number }
  /** Answered with `pong` as long as no hook holds the thread. */
  | { readonly type: 'ping' }

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'pong' }
  | { readonly type: 'told'; readonly told: Told }
