import type { ReactNode } from 'react'
import type { WireSetting } from 'turnbuckle/client'
import { SourceNote } from '../source-note.tsx'
import { type ChoiceField, type NumberField, paramNames, paramTable } from './param-table.ts'
import type { ParamsDraft } from './params-draft.ts'

interface Props {
  /** Begins the ids of the fields, which are on the page once. */
  readonly scope: string
  readonly draft: ParamsDraft
  readonly write: (draft: ParamsDraft) => void
  /** Where each parameter comes from; without it nothing is said of that. */
  readonly sources?: Readonly<Record<string, WireSetting>>
  /** Shown in empty fields. */
  readonly otherwise: string
}

/** Fields for the parameters of model calls. An empty field sets nothing. */
export function ParamsFields({ scope, draft, write, sources, otherwise }: Props): ReactNode {
  return (
    <div className="params">
      {paramNames.map(name => {
        const source = sources?.[`params.${name}`]
        const id = `${scope}-${name}`
        const { label, about } = paramTable[name]
        return (
          <div key={name}>
            <label className="field-label" htmlFor={id}>
              {label} <span className="about">{about}</span>
            </label>
            <ParamInput
              field={paramTable[name]}
              id={id}
              value={draft[name]}
              write={value => write({ ...draft, [name]: value })}
              fixed={source?.fixed ?? false}
              otherwise={otherwise}
            />
            {source && source.from !== 'default' && <SourceNote source={source} />}
          </div>
        )
      })}
    </div>
  )
}

interface ParamInputProps {
  readonly field: NumberField | ChoiceField
  readonly id: string
  readonly value: string
  readonly write: (value: string) => void
  readonly fixed: boolean
  readonly otherwise: string
}

function ParamInput({ field, id, value, write, fixed, otherwise }: ParamInputProps): ReactNode {
  if ('choices' in field)
    return (
      <select id={id} value={value} disabled={fixed} onChange={event => write(event.target.value)}>
        <option value="">{otherwise}</option>
        {field.choices.map(choice => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    )
  const { min, max, step } = field
  return (
    <input
      id={id}
      type="number"
      min={min}
      max={max}
      step={step}
      value={value}
      readOnly={fixed}
      placeholder={otherwise}
      onChange={event => write(event.target.value)}
    />
  )
}
