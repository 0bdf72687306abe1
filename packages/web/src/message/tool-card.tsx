import type { ReactNode } from 'react'
import type { Call, LiveCall, ResultPart, SubAgentState } from 'turnbuckle/client'
import { answersInWords } from '../requests/answers-in-words.ts'
import { useServerNow } from '../state/use-server-now.ts'
import { callGist } from '../ui/call-gist.ts'
import { DiffView } from '../ui/diff-view.tsx'
import { formatDuration } from '../ui/format-duration.ts'
import { formatJson } from '../ui/format-json.ts'
import { Icon } from '../ui/icon.tsx'
import { unifiedDiff } from '../ui/unified-diff.ts'
import { FileView } from './file-view.tsx'
import { SubAgent } from './sub-agent.tsx'

interface Props {
  readonly call: Call
  readonly live: LiveCall | undefined
  readonly result: ResultPart | undefined
  /** The sub-agent that works for the call, as far as it was heard of. */
  readonly work?: SubAgentState | undefined
}

const words: Readonly<Record<string, string>> = {
  pending: 'Pending',
  executing: 'Running',
  ok: 'Completed',
  error: 'Failed',
  blocked: 'Blocked',
  denied: 'Denied',
  interrupted: 'Interrupted',
  timeout: 'Timed out',
  unknown: 'Unknown',
  provider: 'Run by the provider',
}

/** Statuses of calls whose duration is shown: a call that was not run, or was interrupted, has none. */
const timed = new Set(['executing', 'ok', 'error', 'timeout'])

/**
 * A tool call with its arguments, status, progress and result, and below it the sub-agent that works for it. Where the call did not end
 * well, the reason is in its first line.
 */
export function ToolCard({ call, live, result: recorded, work }: Props): ReactNode {
  // A provider does not tell every result of the calls it runs itself.
  const untold = call.byProvider && !call.approval ? 'provider' : 'pending'
  const status = recorded?.status ?? live?.status ?? untold
  const result = recorded ?? (live && 'result' in live ? { value: live.result } : undefined)
  return (
    <>
      <CallCard call={call} live={live} status={status} result={result} />
      {(live?.agent || work) && <SubAgent agent={live?.agent} work={result ? undefined : work} />}
    </>
  )
}

interface CardProps extends Pick<Props, 'call' | 'live'> {
  readonly status: LiveCall['status'] | 'provider'
  readonly result: { readonly value: unknown } | undefined
}

function CallCard({ call, live, status, result }: CardProps): ReactNode {
  const ran = live?.args ?? call.args
  const changed = ran !== call.args && formatJson(ran) !== formatJson(call.args)
  const answers = answersInWords(live?.answers)
  return (
    <details className="tool" data-status={status}>
      <summary>
        <StatusDot status={status} />
        <span className="tool-name">{call.name}</span>
        <span className="tool-gist">{callGist(ran)}</span>
        {!result && live?.progress && <Progress progress={live.progress} />}
        {result && status !== 'ok' && <span className="tool-reason">{reason(result.value)}</span>}
        {!result && status === 'unknown' && (
          <span className="tool-reason">It may have happened before the server ended</span>
        )}
        {answers && live?.answers?.some(({ by }) => by !== 'me') && <span className="tool-by">{answers}</span>}
        <span className="tool-status">
          {words[status]}
          {timed.has(status) && <Time live={live} running={status === 'executing'} />}
        </span>
      </summary>
      <div className="tool-body">
        {answers && <p className="tool-label">{answers}</p>}
        <p className="tool-label">{changed ? 'Arguments, as it was run' : 'Arguments'}</p>
        <Value value={ran} />
        {changed && (
          <>
            <p className="tool-label">Arguments, as the model asked</p>
            <Value value={call.args} />
          </>
        )}
        {result && (
          <>
            <p className="tool-label">Result</p>
            <Value value={result.value} />
          </>
        )}
      </div>
    </details>
  )
}

function StatusDot({ status }: { readonly status: string }): ReactNode {
  if (status === 'executing') return <span className="spinner" aria-hidden="true" />
  if (status === 'ok' || status === 'provider') return <Icon name="check" size={16} />
  if (status === 'pending') return <Icon name="clock" size={16} />
  return <Icon name={status === 'denied' || status === 'interrupted' ? 'hand' : 'warn'} size={16} />
}

function Time({ live, running }: { readonly live: LiveCall | undefined; readonly running: boolean }): ReactNode {
  const now = useServerNow(running)
  const spent = running ? Math.max(0, now - (live?.startedAt ?? now)) : live?.durationMs
  return spent === undefined ? null : <span className="tool-time"> · {formatDuration(spent)}</span>
}

/**
 * Progress of a running call: text beside its arguments and a bar on the card's lower edge. Neither moves the messages
 * below.
 */
function Progress({ progress }: { readonly progress: Readonly<Record<string, unknown>> }): ReactNode {
  const { text, message, done, progress: part = done, total } = progress
  const words = [text, message].find(value => typeof value === 'string') as string | undefined
  const share = typeof part === 'number' ? (typeof total === 'number' && total > 0 ? part / total : part) : undefined
  return (
    <>
      {words && <span className="tool-reason">{words.slice(-200)}</span>}
      {share !== undefined && <progress value={Math.min(1, share)} aria-label="Progress" />}
    </>
  )
}

interface FileLike {
  readonly type: 'file'
  readonly mediaType: string
  readonly data: string
}
const isFile = (value: unknown): value is FileLike =>
  typeof value === 'object' && value !== null && (value as FileLike).type === 'file' && 'mediaType' in value

function Value({ value }: { readonly value: unknown }): ReactNode {
  if (isFile(value)) return <FileView file={value} />
  if (Array.isArray(value) && value.some(isFile))
    return value.map((one, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a recorded result never changes
      <Value key={i} value={one} />
    ))
  const text = formatJson(value)
  const changes = typeof value === 'string' ? unifiedDiff(value) : undefined
  if (changes) return <DiffView lines={changes} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long output is scrolled with the keyboard
    <pre className="value" tabIndex={0}>
      {text || '(empty)'}
    </pre>
  )
}

/** The result of a call that did not end well, on one line of at most 200 characters. */
const reason = (value: unknown): string => formatJson(value).replace(/\s+/g, ' ').slice(0, 200)
