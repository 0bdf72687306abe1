import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { WireChange, WireSpan, WireTurn } from 'turnbuckle/client'
import { attempt, useApp } from '../state/store.ts'
import { duration } from '../ui/format.ts'
import { lineDiff } from './line-diff.ts'
import { type Nested, nest } from './nest.ts'

const none: readonly WireSpan[] = []

/** What each stage and hook of a turn did, as it happens. */
export function Timeline({ turn }: { readonly turn: WireTurn }): ReactNode {
  const live = useApp(app => app.spans.get(turn.id) ?? none)
  const [fetched, setFetched] = useState<readonly WireSpan[]>()
  const over = turn.status !== 'running'
  useEffect(() => {
    void attempt(client => client.trace(turn.id)).then(spans => {
      if (spans && (over || spans.length)) setFetched(spans)
    })
  }, [turn.id, over])
  const spans = fetched && fetched.length >= live.length ? fetched : live
  const nested = useMemo(() => nest(spans), [spans])
  if (!spans.length)
    return (
      <p className="rail-note">
        {fetched
          ? 'Nothing is remembered of this turn: the server keeps the last ones only.'
          : 'Waiting for the first stage …'}
      </p>
    )
  const longest = Math.max(1, ...spans.map(({ durationMs }) => durationMs))
  return (
    <ol className="timeline">
      {nested.map((one, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: spans only come at the end
        <Row key={i} nested={one} longest={longest} />
      ))}
    </ol>
  )
}

function Row({ nested, longest }: { readonly nested: Nested; readonly longest: number }): ReactNode {
  const { span, children } = nested
  return (
    <li data-kind={span.kind} data-status={span.error === undefined ? span.status : 'failed'}>
      <div className="span-row">
        <span className="span-name">{span.kind === 'hook' ? span.at : span.stage}</span>
        {span.by && <span className="span-by">{span.by}</span>}
        {span.directive && (
          <span className="directive" title={span.reason}>
            {span.directive}
          </span>
        )}
        {span.kind === 'stage' && span.status !== 'done' && <span className="directive">{span.status}</span>}
        <span className="span-time">{duration(span.durationMs)}</span>
        <span className="span-bar" style={{ width: `${Math.max(1, (span.durationMs / longest) * 100)}%` }} />
      </div>
      {span.error !== undefined && <p className="span-error">{span.error}</p>}
      {span.changed?.map(change => (
        <ChangeView key={change.what} change={change} />
      ))}
      {children.length > 0 && (
        <ol>
          {children.map((child, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: spans only come at the end
            <Row key={i} nested={child} longest={longest} />
          ))}
        </ol>
      )}
    </li>
  )
}

function ChangeView({ change }: { readonly change: WireChange }): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <details className="change" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>changed {change.what}</summary>
      {open && (
        <pre className="value diff">
          {lineDiff(change.before, change.after).map(({ kind, text }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one diff, in their order
            <span key={i} data-kind={kind}>
              {text}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
    </details>
  )
}
