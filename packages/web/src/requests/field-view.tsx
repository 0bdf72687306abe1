import { type ReactNode, useId } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { type FieldDraft, fieldPath, initialDraft, isOwnAnswer, ownAnswer, type Problems } from './field-draft.ts'
import type { Field, Kind } from './schema-fields.ts'

interface Props {
  readonly field: Field
  readonly draft: FieldDraft
  readonly path: string
  readonly problems: Problems
  readonly change: (draft: FieldDraft) => void
}

/** A field of a form with its label, help and problem. */
export function FieldView(props: Props): ReactNode {
  const { kind } = props.field
  if (kind === 'group' || kind === 'list' || kind === 'several') return <Together {...props} />
  return <Single {...props} />
}

function Single({ field, draft, path, problems, change }: Props): ReactNode {
  const id = useId()
  const problem = problems.get(path)
  const { label, help, required } = field
  return (
    <div className="field" data-kind={field.kind}>
      <label htmlFor={id}>
        {label}
        {!required && field.kind !== 'boolean' && <span className="optional"> optional</span>}
      </label>
      <Control
        field={field}
        draft={draft}
        change={change}
        common={{ id, 'aria-invalid': problem !== undefined, 'aria-describedby': `${id}-more` }}
      />
      <More id={`${id}-more`} help={help} problem={problem} />
    </div>
  )
}

function More(props: {
  readonly id: string
  readonly help: string | undefined
  readonly problem: string | undefined
}): ReactNode {
  return (
    <p className="field-more" id={props.id} data-bad={props.problem !== undefined}>
      {props.problem ?? props.help}
    </p>
  )
}

interface ControlProps {
  readonly field: Field
  readonly draft: FieldDraft
  readonly change: (draft: FieldDraft) => void
  readonly common: { readonly id: string; readonly 'aria-invalid': boolean; readonly 'aria-describedby': string }
}

function Control({ field, draft, change, common }: ControlProps): ReactNode {
  if (field.kind === 'boolean')
    return (
      <input {...common} type="checkbox" checked={draft === true} onChange={event => change(event.target.checked)} />
    )
  if (field.kind === 'choice') return <Choose field={field} draft={draft} change={change} common={common} />
  const text = { ...common, value: String(draft) }
  if (field.kind === 'json' || (field.kind === 'text' && field.type === 'long'))
    return (
      <textarea
        {...text}
        rows={field.kind === 'json' ? 3 : 2}
        className={field.kind === 'json' ? 'value' : undefined}
        placeholder={field.kind === 'json' ? 'JSON' : undefined}
        onChange={event => change(event.target.value)}
      />
    )
  if (field.kind === 'number')
    return (
      <input {...text} inputMode={field.whole ? 'numeric' : 'decimal'} onChange={event => change(event.target.value)} />
    )
  return (
    <input
      {...text}
      type={field.kind === 'text' ? field.type : 'text'}
      onChange={event => change(event.target.value)}
    />
  )
}

function Choose({ field, draft, change, common }: ControlProps): ReactNode {
  const { choices, other } = field as Extract<Kind, { kind: 'choice' }>
  return (
    <>
      <select
        {...common}
        value={isOwnAnswer(draft) ? '=' : String(draft)}
        onChange={event => change(event.target.value === '=' ? ownAnswer('') : event.target.value)}
      >
        {!field.required && <option value="">–</option>}
        {choices.map(({ label }, i) => (
          <option key={label} value={i}>
            {label}
          </option>
        ))}
        {other && <option value="=">Something else …</option>}
      </select>
      {isOwnAnswer(draft) && (
        <textarea
          aria-label="Your answer"
          rows={2}
          value={draft.slice(1)}
          onChange={event => change(ownAnswer(event.target.value))}
        />
      )}
    </>
  )
}

/** A group, list or multiple choice: a fieldset with one label and one problem of its own. */
function Together(props: Props): ReactNode {
  const { field, path, problems } = props
  const id = useId()
  const problem = problems.get(path)
  return (
    <fieldset className="field together" data-kind={field.kind} aria-describedby={`${id}-more`}>
      {field.label && (
        <legend>
          {field.label}
          {!field.required && <span className="optional"> optional</span>}
        </legend>
      )}
      {field.kind === 'several' ? (
        <Several {...props} several={field} />
      ) : (
        <div className="members">
          {field.kind === 'group' && <Group {...props} fields={field.fields} />}
          {field.kind === 'list' && <List {...props} list={field} />}
        </div>
      )}
      <More id={`${id}-more`} help={field.help} problem={problem} />
    </fieldset>
  )
}

function Group({ fields, draft, path, problems, change }: Props & { readonly fields: readonly Field[] }): ReactNode {
  const drafts = draft as { readonly [name: string]: FieldDraft }
  return fields.map(field => (
    <FieldView
      key={field.name}
      field={field}
      draft={drafts[field.name] ?? ''}
      path={fieldPath(path, field.name)}
      problems={problems}
      change={value => change({ ...drafts, [field.name]: value })}
    />
  ))
}

type Some = Props & { readonly several: Extract<Kind, { kind: 'several' }> }

function Several({ several, draft, change }: Some): ReactNode {
  const chosen = draft as readonly number[]
  return (
    <div className="several">
      {several.choices.map(({ label }, i) => (
        <label key={label}>
          <input
            type="checkbox"
            checked={chosen.includes(i)}
            onChange={event =>
              change(event.target.checked ? [...chosen, i].sort((a, b) => a - b) : chosen.filter(one => one !== i))
            }
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  )
}

type Listed = Props & { readonly list: Extract<Kind, { kind: 'list' }> }

function List({ field, list, draft, path, problems, change }: Listed): ReactNode {
  const items = draft as readonly FieldDraft[]
  const { item, min = 0, max = Infinity } = list
  const called = (i: number): string => `${item.label || field.label} ${i + 1}`
  return (
    <>
      {items.map((one, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what is in a list has no name but its place
        <div className="item" key={i}>
          <FieldView
            field={{ ...item, label: called(i) }}
            draft={one}
            path={fieldPath(path, i)}
            problems={problems}
            change={value => change(items.map((other, at) => (at === i ? value : other)))}
          />
          {items.length > min && (
            <IconButton
              icon="close"
              label={`Remove ${called(i)}`}
              size={15}
              onClick={() => change(items.filter((_, at) => at !== i))}
            />
          )}
        </div>
      ))}
      {items.length < max && (
        <button type="button" className="button small" onClick={() => change([...items, initialDraft(item)])}>
          Add {items.length ? 'another' : 'one'}
        </button>
      )}
    </>
  )
}
