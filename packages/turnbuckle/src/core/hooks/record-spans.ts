import { messageOf } from '../base/errors.ts'
import { invokeObserver } from './call-observer.ts'
import { Directive } from './directives.ts'
import type { Entry } from './hook-set.ts'
import type { StageStatus } from './hook-types.ts'
import { readState } from './middleware-state.ts'
import type { Change, OpenSpan, Span } from './spans.ts'
import type { Frame } from './stage-frame.ts'

/** Begins the span of a stage; the function it returns ends it. */
export function traceStage(frame: Frame): () => void {
  const span = open(frame, frame.parent?.span, { kind: 'stage' })
  const { stood } = frame.run.clock
  frame.span = span.id
  return () => {
    const status = (frame.status === 'open' ? 'done' : frame.status) as StageStatus
    tell(frame, {
      ...span,
      ...taken(frame, span, stood),
      status,
      ...(frame.error === undefined ? {} : { error: messageOf(frame.error) }),
    })
  }
}

/** Begins the span of a hook. */
export function traceHook(frame: Frame, entry: Entry): (returned: unknown, error?: unknown) => void {
  const span = open(frame, frame.span, { kind: 'hook', at: entry.at, by: entry.owner.name })
  const before = seen(frame, entry)
  const { stood } = frame.run.clock
  return (returned, error) => {
    const directive = returned instanceof Directive ? returned : undefined
    tell(frame, {
      ...span,
      ...taken(frame, span, stood),
      directive: directive?.type,
      reason: directive?.reason,
      changed: changes(before, seen(frame, entry)),
      ...(error === undefined ? {} : { error: messageOf(error) }),
    })
  }
}

function open(frame: Frame, parentId: number | undefined, what: Pick<OpenSpan, 'kind' | 'at' | 'by'>): OpenSpan {
  const { run } = frame
  const span: OpenSpan = {
    id: run.spans++,
    parentId,
    ...what,
    stage: frame.stage.name,
    turnId: run.id,
    step: Math.max(0, run.step),
    callId: frame.call?.id,
    depth: depthOf(frame),
    startedAt: precise(frame),
  }
  for (const entry of run.hooks.onOpen) invokeObserver(frame, entry, span)
  return span
}

/** `stood`: how long the turn's clock had stood still when it began. */
function taken(frame: Frame, span: OpenSpan, stood: number): Pick<Span, 'durationMs' | 'waitedMs'> {
  const durationMs = precise(frame) - span.startedAt
  const waitedMs = Math.min(durationMs, frame.run.clock.stood - stood)
  return waitedMs > 0 ? { durationMs, waitedMs } : { durationMs }
}

const precise = ({ run: { core } }: Frame): number => core.clock.precise?.() ?? core.clock.now()

type Seen = Readonly<Record<Change['what'], unknown>>

/** References only: what a hook changes is replaced, not written over. */
const seen = ({ run, input }: Frame, { owner }: Entry): Seen => ({
  input,
  messages: run.tip,
  state: readState(run, owner),
})

const changes = (before: Seen, after: Seen): Change[] =>
  (['input', 'messages', 'state'] as const)
    .filter(what => before[what] !== after[what])
    .map(what => ({ what, before: before[what], after: after[what] }))

function depthOf(frame: Frame): number {
  let depth = 0
  for (let parent = frame.parent; parent; parent = parent.parent) depth++
  return depth
}

function tell(frame: Frame, span: Span): void {
  try {
    frame.run.pipeline.trace?.(span)
  } catch (error) {
    frame.run.emit({ type: 'hook.failed', name: 'pipeline', point: 'trace', error: messageOf(error) })
  }
  for (const entry of frame.run.hooks.onTrace) invokeObserver(frame, entry, span)
}
