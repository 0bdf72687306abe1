import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { callKey, type WireTurn } from 'turnbuckle/client'
import type { TimelineSpan } from '../conversation/facts/spans.ts'
import { loadSpans } from '../conversation/loading/load-spans.ts'
import { useAppState } from '../state/app-state.ts'
import { useServerNow } from '../state/use-server-now.ts'
import { formatDuration } from '../ui/format-duration.ts'
import { ChangeView } from './change-view.tsx'
import { ExchangeView } from './exchange-view.tsx'
import { flattenSpans, type SpanRow } from './flatten-spans.ts'
import { barOnScale, createTimeScale, type TimeScale } from './time-scale.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

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
  const rows = useMemo(() => flattenSpans(spans?.values() ?? []), [spans])
  if (!spans?.size) return <Nothing loaded={loaded} over={over} />
  const scale = createTimeScale(spans.values(), over ? 0 : now)
  return (
    <>
      <p className="time-axis" aria-hidden="true">
        <span>0</span>
        <span>{formatDuration(scale.ms)}</span>
      </p>
      <Rows rows={rows} scale={scale} now={now} over={over} />
    </>
  )
}

interface RowsProps extends Omit<RowProps, 'row' | 'index' | 'count'> {
  readonly rows: readonly SpanRow[]
}

function Rows({ rows, ...common }: RowsProps): ReactNode {
  const { list, first, end, above, below } = useVirtualRows(rows.length, '.inspector-body')
  return (
    <ol className="timeline" ref={list} aria-busy={!common.over} style={{ paddingBlock: `${above}px ${below}px` }}>
      {rows.slice(first, end).map((row, i) => (
        <Row key={row.span.id} row={row} index={first + i} count={rows.length} {...common} />
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
  readonly row: SpanRow
  readonly index: number
  readonly count: number
  readonly scale: TimeScale
  readonly now: number
  readonly over: boolean
}

function Row({ row: { span, level }, index, count, scale, now, over }: RowProps): ReactNode {
  const open = span.durationMs === undefined && !over
  const ms = span.durationMs ?? Math.max(0, now - span.startedAt)
  const own = ms - (span.waitedMs ?? 0)
  const { exchanges = [] } = span
  return (
    <li
      data-kind={span.kind}
      data-status={open ? 'open' : hasFailed(span) ? 'failed' : span.status}
      data-level={level}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ paddingLeft: `${level * 0.9}rem` }}
    >
      <div className="span-row">
        <Name span={span} open={open} />
        <span className="span-track" aria-hidden="true">
          <span className="span-bar waited" style={barOnScale(span.startedAt, ms, scale)} />
          <span className="span-bar" style={barOnScale(span.startedAt, own, scale)} />
        </span>
        <span className="span-time">{span.durationMs === undefined && over ? '' : formatDuration(own)}</span>
      </div>
      {hasFailed(span) && <p className="span-error">{span.error}</p>}
      {exchanges.map((exchange, i) => (
        <ExchangeView
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts keep their order
          key={i}
          exchange={exchange}
          attempt={exchanges.length > 1 ? i + 1 : undefined}
          onLoad={() => loadSpans(span.turnId)}
        />
      ))}
      {span.changed?.map((change, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes of an ended span keep their order
        <ChangeView key={i} stage={span.stage} change={change} />
      ))}
    </li>
  )
}

/** A person's stop ends stages with an error too, and is no failure. */
const hasFailed = ({ error, status }: TimelineSpan): boolean => error !== undefined && status !== 'interrupted'

function Name({ span, open }: { readonly span: TimelineSpan; readonly open: boolean }): ReactNode {
  const { kind, at, stage, turnId, callId, directive, reason, status, waitedMs } = span
  const call = useAppState(app => callId && app.conversation?.calls.get(callKey(turnId, callId))?.name)
  const by = span.by ?? call
  return (
    <span className="span-what">
      <span className="span-name">
        {kind === 'hook' ? at : stage}
        {span.count !== undefined && ` × ${span.count}`}
      </span>
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
