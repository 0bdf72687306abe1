import { type ReactNode, useContext } from 'react'
import type { WireTurn } from 'turnbuckle/client'
import { continueReply, retryTurn } from '../conversation/retry-reply.ts'
import { ReadOnlyContext } from '../share/read-only.ts'
import { openInspector } from '../state/page-layout.ts'
import { Icon } from '../ui/icon.tsx'

const words = { stopped: 'Stopped', failed: 'Failed', interrupted: 'Stopped on request' } as const

/** The end of a turn: stopped, failed or interrupted, and by whom. A completed turn shows nothing. */
export function TurnEnd({ turn }: { readonly turn: WireTurn }): ReactNode {
  const { status, reason, by, error } = turn
  const readOnly = useContext(ReadOnlyContext)
  if (status === 'completed' || status === 'running') return null
  return (
    <p className={`turn-end ${status}`}>
      <Icon name={status === 'interrupted' ? 'hand' : 'warn'} size={16} />
      <span>
        {words[status]}
        {by && status !== 'interrupted' ? ` by ${by}` : ''}
        {reason && reason !== status && status !== 'interrupted' ? `: ${error ?? reason}` : ''}
      </span>
      <span className="turn-end-links">
        {status === 'interrupted' && !readOnly && (
          <button type="button" className="link" onClick={continueReply}>
            Continue
          </button>
        )}
        {!readOnly && (
          <button type="button" className="link" onClick={() => retryTurn(turn.id)}>
            Try again
          </button>
        )}
        <button type="button" className="link" onClick={() => openInspector({ tab: 'decisions', turnId: turn.id })}>
          Who decided?
        </button>
      </span>
    </p>
  )
}
