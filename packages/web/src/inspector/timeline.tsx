import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { callKey, type WireTurn } from 'turnbuckle/client'
import { loadSpans } from '../conversation/load-spans.ts'
import type { TimelineSpan } from '../conversation/spans.ts'
import { useAppState } from '../state/app-state.ts'
import { useServerNow } from '../state/use-server-now.ts'
import { formatDuration } from '../ui/format-duration.ts'
import { ChangeView } from './change-view.tsx'
import { type NestedSpan, nestSpans } from './nest-spans.ts'
import { barOnScale, createTimeScale, type TimeScale } from './time-scale.ts'

/** The stages and hooks of a turn as nested bars, live while the turn runs. */
export function Timeline({ turn }: { readonly turn: WireTurn }): ReactNode {
  const spans = useAppState(app => app.spans.get(turn.id))
  const connected = useAppState(app => app.status === 'open')
  const [loaded, setLoaded] = useState(false)
  const over = turn.status !== 'running'
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open while it runs is asked for once more when it is over
  useEffect(() => {
    if (connected) void loadSpans(turn.id).then(() => setLoaded(true))
  }, [turn.id, over, connected])
  const now = useServerNow(!over)
  const nested = useMemo(() => nestSpans(spans?.values() ?? []), [spans])
  if (!spans?.size) return <Nothing loaded={loaded} over={over} />
  const scale = createTimeScale(spans.values(), over ? 0 : now)
  return (
    <ol className="timeline" aria-busy={!over}>
      {nested.map(one => (
        <Row key={one.span.id} nested={one} scale={scale} now={now} over={over} />
      ))}
    </ol>
  )
}

function Nothing({ loaded, over }: { readonly loaded: boolean; readonly over: boolean }): ReactNode {
  const words =
    loaded && over
      ? 'Nothing is remembered of this turn: the server keeps the last ones only.'
      : 'Waiting for the first stage …'
  return <p className="rail-note">{words}</p>
}

interface RowProps {
  readonly nested: NestedSpan
  readonly scale: TimeScale
  readonly now: number
  readonly over: boolean
}

function Row({ nested: { span, children }, scale, now, over }: RowProps): ReactNode {
  const open = span.durationMs === undefined && !over
  const ms = span.durationMs ?? Math.max(0, now - span.startedAt)
  return (
    <li data-kind={span.kind} data-status={open ? 'open' : span.error === undefined ? span.status : 'failed'}>
      <div className="span-row">
        <Name span={span} open={open} />
        <span className="span-track" aria-hidden="true">
          <span className="span-bar" style={barOnScale(span.startedAt, ms, scale)} />
        </span>
        <span className="span-time">
          {span.durationMs === undefined && over ? '' : formatDuration(ms - (span.waitedMs ?? 0))}
        </span>
      </div>
      {span.error !== undefined && <p className="span-error">{span.error}</p>}
      {span.changed?.map(change => (
        <ChangeView key={change.what} stage={span.stage} change={change} />
      ))}
      {children.length > 0 && (
        <ol>
          {children.map(child => (
            <Row key={child.span.id} nested={child} scale={scale} now={now} over={over} />
          ))}
        </ol>
      )}
    </li>
  )
}

function Name({ span, open }: { readonly span: TimelineSpan; readonly open: boolean }): ReactNode {
  const { kind, at, stage, turnId, callId, directive, reason, status, waitedMs } = span
  const call = useAppState(app => callId && app.conversation?.calls.get(callKey(turnId, callId))?.name)
  const by = span.by ?? call
  return (
    <span className="span-what">
      <span className="span-name">{kind === 'hook' ? at : stage}</span>
      {by && <span className="span-by">{by}</span>}
      {directive && (
        <span className="directive" title={reason}>
          {directive}
        </span>
      )}
      {kind === 'stage' && status !== undefined && status !== 'done' && <span className="directive">{status}</span>}
      {kind === 'hook' && waitedMs !== undefined && (
        <span className="span-waited">waited {formatDuration(waitedMs)} for a person</span>
      )}
      {open && <span className="visually-hidden">runs now</span>}
    </span>
  )
}
