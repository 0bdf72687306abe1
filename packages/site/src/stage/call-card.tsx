import type { ReactNode } from 'react'
import type { Call } from 'turnbuckle'
import type { LiveCall } from 'turnbuckle/client'

interface Given {
  readonly call: Call
  readonly live: LiveCall | undefined
}

/** A call with its status, and its result once it has one. */
export function CallCard({ call, live }: Given): ReactNode {
  const status = live?.status ?? 'pending'
  const result = live?.result
  return (
    <div className="call" data-status={status}>
      <span className="call-head">
        <code>
          {call.name} {JSON.stringify(live?.args ?? call.args)}
        </code>
        <span className="status">{status}</span>
      </span>
      {result !== undefined && <span className="call-result">{asText(result)}</span>}
    </div>
  )
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
