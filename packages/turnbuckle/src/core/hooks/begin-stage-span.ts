import { isInterrupted, messageOf } from '../base/errors.ts'
import { none } from '../base/lists.ts'
import { Directive } from '../directives/directives.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { callObserver } from './call-observer.ts'
import { cleanChanges } from './clean-changes.ts'
import type { HookEntry } from './hook-set.ts'
import { middlewareState } from './middleware-state.ts'
import type { OpenSpan, Span, SpanChange, StageStatus } from './span.ts'

/** Begins the span of a stage; the function it returns ends it. */
export function beginStageSpan(frame: StageFrame): () => void {
  const span = open(frame, frame.parent?.span, undefined)
  const { stood } = frame.turn.time.clock
  frame.span = span.id
  return () => {
    const status = (frame.status === 'open' ? 'done' : frame.status) as StageStatus
    const closed = close(frame, span, stood, { status, error: frame.error })
    tell(frame, frame.exchanges ? { ...closed, exchanges: frame.exchanges } : closed)
  }
}

/** Begins the span of a hook. */
export function beginHookSpan(frame: StageFrame, entry: HookEntry): (returned: unknown, error?: unknown) => void {
  const span = open(frame, frame.span, entry)
  const before = seen(frame, entry)
  const { stood } = frame.turn.time.clock
  return (returned, error) => {
    const directive = returned instanceof Directive ? returned : undefined
    const status = frame.turn.interrupted && isInterrupted(error) ? 'interrupted' : undefined
    const changed = changes(frame, before, seen(frame, entry))
    tell(frame, close(frame, span, stood, { status, directive, changed, error }))
  }
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

interface Outcome {
  readonly status?: StageStatus | undefined
  readonly directive?: Directive | undefined
  readonly changed?: readonly SpanChange[]
  readonly error: unknown
}

/** The span with how it came out. `stood`: how long the turn's clock had stood still when it began. Member by member: a spread would take ten times as long. */
function close(frame: StageFrame, span: OpenSpan, stood: number, outcome: Outcome): Span {
  const durationMs = precise(frame) - span.startedAt
  const waitedMs = Math.min(durationMs, frame.turn.time.clock.stood - stood)
  const { status, directive, changed, error } = outcome
  const { hooks } = frame.turn
  const closed: Span = {
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
  return waitedMs > 0 ? { ...closed, waitedMs } : closed
}

const precise = ({ turn: { agent } }: StageFrame): number => agent.clock.precise?.() ?? agent.clock.now()

type Seen = Readonly<Record<SpanChange['what'], unknown>>

/** References: what a hook changes is replaced, not written over. Of an input that hooks write to, a copy. */
const seen = ({ turn, input, stage }: StageFrame, { owner }: HookEntry): Seen => ({
  input: stage.copyInput && input !== undefined ? stage.copyInput(input) : input,
  messages: turn.branch.tip,
  state: middlewareState(turn, owner),
  instructions: turn.hookData.instructions,
})

const kinds = ['input', 'messages', 'state', 'instructions'] as const

function changes(frame: StageFrame, before: Seen, after: Seen): readonly SpanChange[] {
  let changed: readonly SpanChange[] = none
  for (const what of kinds)
    if (before[what] !== after[what] && !(what === 'input' && isSameInput(frame, before.input, after.input)))
      changed = [...changed, { what, before: before[what], after: after[what] }]
  const { redact } = frame.turn.hooks
  return redact && changed.length ? cleanChanges(changed, redact, frame.stage.cleanInput) : changed
}

const isSameInput = ({ stage }: StageFrame, was: unknown, is: unknown): boolean =>
  was !== undefined && is !== undefined && (stage.isSameInput?.(was, is) ?? false)

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
