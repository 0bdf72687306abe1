import { messageOf } from '../base/errors.ts'
import { Directive } from '../directives/directives.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { callObserver } from './call-observer.ts'
import type { HookEntry } from './hook-set.ts'
import { middlewareState } from './middleware-state.ts'
import type { OpenSpan, Span, SpanChange, StageStatus } from './span.ts'

/** Begins the span of a stage; the function it returns ends it. */
export function beginStageSpan(frame: StageFrame): () => void {
  const span = open(frame, frame.parent?.span, { kind: 'stage' })
  const { stood } = frame.turn.time.clock
  frame.span = span.id
  return () => {
    const status = (frame.status === 'open' ? 'done' : frame.status) as StageStatus
    tell(frame, {
      ...span,
      ...taken(frame, span, stood),
      status,
      ...(frame.exchanges ? { exchanges: frame.exchanges } : {}),
      ...(frame.error === undefined ? {} : { error: messageOf(frame.error) }),
    })
  }
}

/** Begins the span of a hook. */
export function beginHookSpan(frame: StageFrame, entry: HookEntry): (returned: unknown, error?: unknown) => void {
  const span = open(frame, frame.span, { kind: 'hook', at: entry.at, by: entry.owner.name })
  const before = seen(frame, entry)
  const { stood } = frame.turn.time.clock
  return (returned, error) => {
    const directive = returned instanceof Directive ? returned : undefined
    tell(frame, {
      ...span,
      ...taken(frame, span, stood),
      directive: directive?.type,
      reason: directive?.reason,
      changed: changes(frame, before, seen(frame, entry)),
      ...(error === undefined ? {} : { error: messageOf(error) }),
    })
  }
}

function open(frame: StageFrame, parentId: number | undefined, what: Pick<OpenSpan, 'kind' | 'at' | 'by'>): OpenSpan {
  const { turn } = frame
  const span: OpenSpan = {
    id: turn.nextSpan(),
    parentId,
    ...what,
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

/** `stood`: how long the turn's clock had stood still when it began. */
function taken(frame: StageFrame, span: OpenSpan, stood: number): Pick<Span, 'durationMs' | 'waitedMs'> {
  const durationMs = precise(frame) - span.startedAt
  const waitedMs = Math.min(durationMs, frame.turn.time.clock.stood - stood)
  return waitedMs > 0 ? { durationMs, waitedMs } : { durationMs }
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

function changes({ stage }: StageFrame, before: Seen, after: Seen): SpanChange[] {
  const isSame = (what: SpanChange['what']): boolean => {
    const [was, is] = [before[what], after[what]]
    if (was === is) return true
    return what === 'input' && was !== undefined && is !== undefined && (stage.isSameInput?.(was, is) ?? false)
  }
  return (['input', 'messages', 'state', 'instructions'] as const)
    .filter(what => !isSame(what))
    .map(what => ({ what, before: before[what], after: after[what] }))
}

function depthOf(frame: StageFrame): number {
  let depth = 0
  for (let parent = frame.parent; parent; parent = parent.parent) depth++
  return depth
}

function tell(frame: StageFrame, span: Span): void {
  try {
    frame.turn.pipeline.trace?.(span)
  } catch (error) {
    frame.turn.tell({ type: 'hook.failed', name: 'pipeline', point: 'trace', error: messageOf(error) })
  }
  for (const entry of frame.turn.hooks.onTrace) callObserver(frame, entry, span)
}
