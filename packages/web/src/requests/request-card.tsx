import { Fragment, lazy, type ReactNode, Suspense, useState } from 'react'
import type { WireRequest } from 'turnbuckle/client'
import { answerRequest } from '../conversation/answer-request.ts'
import { openConversation } from '../conversation/open-conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { formatMoment } from '../ui/format-moment.ts'
import { Icon } from '../ui/icon.tsx'
import { ContinuationForm } from './continuation-form.tsx'
import { OutcomeForm } from './outcome-form.tsx'
import { PermissionForm } from './permission-form.tsx'
import type { RequestFormProps } from './request-form-props.ts'
import { requestPeople } from './request-people.ts'
import type { Asked } from './schema-fields.ts'

const SchemaForm = lazy(() => import('./schema-form.tsx'))

interface Props {
  readonly request: WireRequest
  /** The person whose conversation asks, where that is somebody else. */
  readonly owner?: string
}

/** A request of the agent, with the form for its kind. The first answer counts, from whichever page it comes. */
export function RequestCard({ request, owner }: Props): ReactNode {
  const [busy, setBusy] = useState(false)
  const answer = async (value: unknown) => {
    setBusy(true)
    // The answered request leaves the page: the focus moves on first. On a phone that would open the keyboard.
    if (matchMedia('(hover: hover)').matches) document.getElementById('composer')?.focus()
    if (!(await answerRequest(request.id, value)) && owner === undefined)
      void openConversation(useAppState.getState().openId, { quietly: true })
    setBusy(false)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: one of many is no landmark, and a fieldset is for forms
    <div className="request" role="group" aria-label={`The agent asks: ${request.kind}`}>
      <Deadline deadline={request.deadline} />
      <People lines={requestPeople(request, owner)} />
      <Form kind={request.kind} payload={request.payload} busy={busy} answer={answer} />
    </div>
  )
}

/** One paragraph above the question, which keeps the weight. */
function People({ lines }: { readonly lines: readonly string[] }): ReactNode {
  if (!lines.length) return null
  return (
    <p className="request-note">
      {lines.map(line => (
        <Fragment key={line}>
          <span>{line}</span>{' '}
        </Fragment>
      ))}
    </p>
  )
}

function Form({ kind, ...props }: RequestFormProps & { readonly kind: string }): ReactNode {
  switch (kind) {
    case 'permission':
      return <PermissionForm {...props} />
    case 'continuation':
      return <ContinuationForm {...props} />
    case 'outcome':
      return <OutcomeForm {...props} />
    default:
      return (
        <Suspense fallback={<Question payload={props.payload} />}>
          <SchemaForm kind={kind} {...props} />
        </Suspense>
      )
  }
}

/** The question of a form whose fields are being loaded. */
function Question({ payload }: { readonly payload: unknown }): ReactNode {
  const { question = '', message = question } = (payload ?? {}) as Asked
  return (
    <h2>
      <Icon name="hand" /> {message}
    </h2>
  )
}

function Deadline({ deadline }: { readonly deadline: number | undefined }): ReactNode {
  if (deadline === undefined) return null
  return (
    <p className="deadline">
      <Icon name="clock" size={14} /> until {formatMoment(deadline)}
    </p>
  )
}
