import { type FormEvent, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatJson } from '../ui/format-json.ts'
import { Icon } from '../ui/icon.tsx'
import { type FieldDraft, initialDraft, type Problems, readDraft } from './field-draft.ts'
import { FieldView } from './field-view.tsx'
import { type Asked, type Field, schemaFields } from './schema-fields.ts'

interface Props {
  readonly kind: string
  readonly payload: unknown
  readonly busy: boolean
  readonly answer: (value: unknown) => void
}

const none: Problems = new Map()

const groupOf = (payload: unknown): Field & { kind: 'group' } => ({
  name: '',
  label: '',
  required: true,
  kind: 'group',
  fields: schemaFields(payload),
})

/**
 * The form of a request, built from its JSON Schema. Problems are shown beside their fields, and the first one gets
 * the focus.
 */
export default function SchemaForm({ kind, payload, busy, answer }: Props): ReactNode {
  const whole = useMemo(() => groupOf(payload), [payload])
  const [drafts, setDrafts] = useState(() => initialDraft(whole) as { readonly [name: string]: FieldDraft })
  const [problems, setProblems] = useState(none)
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    if (problems.size) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = new Map<string, string>()
    const value = readDraft(whole, drafts, '', found)
    setProblems(found)
    if (!found.size) answer(value)
  }
  const { question, message } = (payload ?? {}) as Asked
  const said = question ?? message ?? (typeof payload === 'string' ? payload : undefined)
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <h2>
        <Icon name="hand" /> {said ?? `The agent asks: ${kind}`}
      </h2>
      {said === undefined && payload !== undefined && <pre className="value">{formatJson(payload)}</pre>}
      {whole.fields.map(field => (
        <FieldView
          key={field.name}
          field={field}
          draft={drafts[field.name] ?? ''}
          path={field.name}
          problems={problems}
          change={value => setDrafts({ ...drafts, [field.name]: value })}
        />
      ))}
      {problems.size > 0 && (
        <p className="form-problem" role="alert">
          {problems.size === 1 ? 'One answer is not right yet.' : `${problems.size} answers are not right yet.`}
        </p>
      )}
      <Actions payload={payload} busy={busy} answer={answer} />
    </form>
  )
}

/** The payload of a request may have an answer that declines it. */
function Actions({ payload, busy, answer }: Omit<Props, 'kind'>): ReactNode {
  const { decline } = (payload ?? {}) as { readonly decline?: unknown }
  return (
    <div className="request-actions">
      <button type="submit" className="button primary" disabled={busy}>
        Answer
      </button>
      {decline !== undefined && (
        <button type="button" className="button" disabled={busy} onClick={() => answer(decline)}>
          Decline
        </button>
      )}
    </div>
  )
}
