import { type ReactNode, useState } from 'react'
import type { WireRequest } from 'turnbuckle/client'
import { answerRequest } from '../state/answers.ts'
import { useApp } from '../state/app-state.ts'
import { open } from '../state/conversations.ts'
import { Icon } from '../ui/icons.tsx'
import { SchemaForm } from './form/schema-form.tsx'
import { OutcomeForm } from './outcome-form.tsx'
import { PermissionForm } from './permission-form.tsx'

/** A question from the agent, where it came up. Whoever answers first decides. */
export function RequestCard({ request }: { readonly request: WireRequest }): ReactNode {
  const [busy, setBusy] = useState(false)
  const answer = async (value: unknown) => {
    setBusy(true)
    // The card goes: whoever uses the keyboard is not left nowhere. A phone's keyboard stays away.
    if (matchMedia('(hover: hover)').matches) document.getElementById('composer')?.focus()
    if (!(await answerRequest(request.id, value))) void open(useApp.getState().openId, { quietly: true })
    setBusy(false)
  }
  return (
    <section className="request" aria-label={`The agent asks: ${request.kind}`}>
      <Deadline deadline={request.deadline} />
      <Form kind={request.kind} payload={request.payload} busy={busy} answer={answer} />
    </section>
  )
}

function Form({ kind, ...props }: AnswerProps & { readonly kind: string }): ReactNode {
  switch (kind) {
    case 'permission':
      return <PermissionForm {...props} />
    case 'continuation':
      return <Continuation {...props} />
    case 'outcome':
      return <OutcomeForm {...props} />
    default:
      return <SchemaForm kind={kind} {...props} />
  }
}

function Deadline({ deadline }: { readonly deadline: number | undefined }): ReactNode {
  if (deadline === undefined) return null
  const time = new Date(deadline).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return (
    <p className="deadline">
      <Icon name="clock" size={14} /> until {time}
    </p>
  )
}

export interface AnswerProps {
  readonly payload: unknown
  readonly busy: boolean
  readonly answer: (value: unknown) => void
}

const units: Readonly<Record<string, string>> = {
  steps: 'steps',
  tokens: 'tokens',
  cost: 'dollars',
  ms: 'milliseconds',
}

function Continuation({ payload, busy, answer }: AnswerProps): ReactNode {
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
          : `${used ?? 'All'} ${unit} are used. Go on${more ? ` with ${more} more` : ''}?`}
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
