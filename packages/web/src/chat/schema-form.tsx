import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { pretty } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'

export interface Field {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'long' | 'number' | 'boolean' | 'choice'
  /** As the schema has them; shown as text. */
  readonly choices: readonly unknown[]
  readonly required: boolean
}

interface Property {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly maxLength?: number
}

interface Asked {
  readonly question?: string
  readonly message?: string
  readonly options?: readonly unknown[]
  readonly choices?: readonly unknown[]
  readonly schema?: { readonly properties?: Readonly<Record<string, Property>>; readonly required?: readonly string[] }
}

/** The fields a question's JSON Schema asks for. Without one: its options, or a line of text. */
export function fieldsOf(payload: unknown): Field[] {
  const { schema, options, choices = options } = (payload ?? {}) as Asked
  if (schema?.properties)
    return Object.entries(schema.properties).map(([name, property]) => fieldOf(name, property, schema.required ?? []))
  if (Array.isArray(choices) && choices.length)
    return [{ name: 'text', label: 'Choose', kind: 'choice', choices, required: true }]
  return [{ name: 'text', label: 'Your answer', kind: 'long', choices: [], required: true }]
}

function fieldOf(name: string, property: Property, required: readonly string[]): Field {
  const { type, title, description, enum: values } = property
  const kinds: Readonly<Record<string, Field['kind']>> = { number: 'number', integer: 'number', boolean: 'boolean' }
  const kind = values ? 'choice' : (kinds[type ?? ''] ?? 'text')
  const label = description ?? title ?? name
  return { name, label, kind, choices: values ?? [], required: required.includes(name) }
}

interface Props {
  readonly kind: string
  readonly fields: readonly Field[]
  readonly payload: unknown
  readonly busy: boolean
  readonly answer: (value: unknown) => void
}

export function SchemaForm({ kind, fields, payload, busy, answer }: Props): ReactNode {
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(fields.map(field => [field.name, initial(field)])),
  )
  const { question, message } = (payload ?? {}) as Asked
  const submit = (event: FormEvent) => {
    event.preventDefault()
    answer(Object.fromEntries(fields.filter(({ name, required }) => required || values[name] !== '').map(read(values))))
  }
  const said = question ?? message ?? (typeof payload === 'string' ? payload : undefined)
  return (
    <form onSubmit={submit}>
      <h2>
        <Icon name="hand" /> {said ?? `The agent asks: ${kind}`}
      </h2>
      {said === undefined && payload !== undefined && <pre className="value">{pretty(payload)}</pre>}
      {fields.map(field => (
        <FieldView
          key={field.name}
          field={field}
          value={values[field.name]}
          change={value => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <div className="request-actions">
        <button type="submit" className="button primary" disabled={busy}>
          Answer
        </button>
      </div>
    </form>
  )
}

/** Nothing is chosen for the person where nothing needs to be. */
function initial({ kind, choices, required }: Field): unknown {
  if (kind === 'boolean') return false
  return kind === 'choice' && required ? String(choices[0]) : ''
}

const read =
  (values: Readonly<Record<string, unknown>>) =>
  ({ name, kind, choices }: Field): [string, unknown] => {
    const value = values[name]
    if (kind === 'choice') return [name, choices.find(choice => String(choice) === value)]
    return [name, kind === 'number' ? Number(value) : value]
  }

interface FieldProps {
  readonly field: Field
  readonly value: unknown
  readonly change: (value: unknown) => void
}

function FieldView({ field, value, change }: FieldProps): ReactNode {
  const id = useId()
  const { kind, label, required, choices } = field
  const common = { id, required, value: String(value ?? '') }
  return (
    <div className="field" data-kind={kind}>
      <label htmlFor={id}>{label}</label>
      {kind === 'boolean' ? (
        <input id={id} type="checkbox" checked={value === true} onChange={event => change(event.target.checked)} />
      ) : kind === 'choice' ? (
        <select {...common} onChange={event => change(event.target.value)}>
          {!required && <option value="">–</option>}
          {choices.map(choice => (
            <option key={String(choice)}>{String(choice)}</option>
          ))}
        </select>
      ) : kind === 'long' ? (
        <textarea {...common} rows={2} onChange={event => change(event.target.value)} />
      ) : (
        <input {...common} type={kind} step="any" onChange={event => change(event.target.value)} />
      )}
    </div>
  )
}
