import { isInterrupted, messageOf } from '../base/errors.ts'
import { Directive } from '../directives/directives.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { callObserver } from './call-observer.ts'
import { HookChanges } from './hook-changes.ts'
import type { HookEntry } from './hook-set.ts'
import type { OpenSpan, Span, SpanChange, StageStatus } from './span.ts'

/** Begins the span of a stage; the function it returns ends it. */
export function beginStageSpan(frame: StageFrame): () => void {
  const span = open(frame, frame.parent?.span, undefined)
  const { stood } = frame.turn.time.clock
  frame.span = span.id
  return () => {
    const status = (frame.status === 'open' ? 'done' : frame.status) as StageStatus
    const closed = close(frame, span, stood, { status, error: frame.error })
    if (frame.exchanges) closed.exchanges = frame.exchanges
    tell(frame, closed)
  }
}

/** Begins the span of a hook. `end` tells it, with the changes that were noted meanwhile. */
export function beginHookSpan(frame: StageFrame, entry: HookEntry): HookSpan {
  const span = open(frame, frame.span, entry)
  const changes = new HookChanges(frame, entry)
  const { stood } = frame.turn.time.clock
  const end = (returned: unknown, error?: unknown): void => {
    const directive = returned instanceof Directive ? returned : undefined
    const status = frame.turn.interrupted && isInterrupted(error) ? 'interrupted' : undefined
    const changed = changes.list()
    tell(frame, close(frame, span, stood, { status, directive, changed, error }))
  }
  return { changes, end }
}

/** The span of a hook that runs. */
export interface HookSpan {
  readonly changes: HookChanges
  readonly end: (returned: unknown, error?: unknown) => void
}

function open(frame: StageFrame, parentId: number | undefined, hook: HookEntry | undefined): OpenSpan {
  const { turn } = frame
  const span: OpenSpan = {
    id: turn.nextSpan(),
    parentId,
    kind: hook ? 'hook' : 'stage',
    at: hook?.at,
    by: hook?.owner.name,
    stage: frame.stage.name,
    turnId: turn.id,
    step: Math.max(0, turn.step.index),
    callId: frame.call?.id,
    depth: depthOf(frame),
    startedAt: precise(frame),
  }
  for (const entry of turn.hooks.onOpen) callObserver(frame, entry, span)
  return span
}

/** A span before it is told. */
type ClosedSpan = { -readonly [Member in keyof Span]: Span[Member] }

interface Outcome {
  readonly status?: StageStatus | undefined
  readonly directive?: Directive | undefined
  readonly changed?: readonly SpanChange[]
  readonly error: unknown
}

/** The span with how it came out. `stood`: how long the turn's clock had stood still when it began. Member by member: a spread would take ten times as long. */
function close(frame: StageFrame, span: OpenSpan, stood: number, outcome: Outcome): ClosedSpan {
  const durationMs = precise(frame) - span.startedAt
  const waitedMs = Math.min(durationMs, frame.turn.time.clock.stood - stood)
  const { status, directive, changed, error } = outcome
  const { hooks } = frame.turn
  const closed: ClosedSpan = {
    id: span.id,
    parentId: span.parentId,
    kind: span.kind,
    at: span.at,
    by: span.by,
    stage: span.stage,
    turnId: span.turnId,
    step: span.step,
    callId: span.callId,
    depth: span.depth,
    startedAt: span.startedAt,
    durationMs,
    status,
    directive: directive?.type,
    reason: directive?.reason === undefined ? undefined : hooks.clean(directive.reason),
    changed,
    error: error === undefined ? undefined : hooks.clean(messageOf(error)),
  }
  if (waitedMs > 0) closed.waitedMs = waitedMs
  return closed
}

const precise = ({ turn: { agent } }: StageFrame): number => agent.clock.precise?.() ?? agent.clock.now()

function depthOf(frame: StageFrame): number {
  let depth = 0
  for (let parent = frame.parent; parent; parent = parent.parent) depth++
  return depth
}

function tell(frame: StageFrame, span: Span): void {
  try {
    frame.turn.pipeline.trace?.(span)
  } catch (error) {
    frame.turn.tell({
      type: 'hook.failed',
      name: 'pipeline',
      point: 'trace',
      error: frame.turn.hooks.clean(messageOf(error)),
    })
  }
  for (const entry of frame.turn.hooks.onTrace) callObserver(frame, entry, span)
}
