import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import type { RequestFormProps } from './request-form-props.ts'

const units: Readonly<Record<string, string>> = {
  steps: 'steps',
  tokens: 'tokens',
  cost: 'dollars',
  ms: 'milliseconds',
}

const usedWords = (used: number | undefined, unit: string): string =>
  used === 1 ? `One ${unit.replace(/s$/, '')} is used` : `${used ?? 'All'} ${unit} are used`

/** A limit of the turn is reached: the person allows more or ends the turn. */
export function ContinuationForm({ payload, busy, answer }: RequestFormProps): ReactNode {
  const {
    limit = 'steps',
    used,
    more,
  } = (payload ?? {}) as {
    limit?: string
    used?: number | 'unknown'
    more?: number
  }
  const unit = units[limit] ?? limit
  return (
    <>
      <h2>
        <Icon name="hand" /> The limit is reached
      </h2>
      <p>
        {used === 'unknown'
          ? 'What this has cost so far is not known. Go on?'
          : `${usedWords(used, unit)}. Go on${more ? ` with ${more} more` : ''}?`}
      </p>
      <div className="request-actions">
        <button type="button" className="button primary" disabled={busy} onClick={() => answer({ decision: 'allow' })}>
          Go on
        </button>
        <button type="button" className="button" disabled={busy} onClick={() => answer({ decision: 'deny' })}>
          End here
        </button>
      </div>
    </>
  )
}
