import type { ReactNode } from 'react'
import type { ModelParams, WireSetting } from 'turnbuckle/client'
import { SourceNote } from '../source-note.tsx'
import type { ParamsDraft } from './params-draft.ts'

interface NumberField {
  readonly name: keyof ModelParams
  readonly label: string
  readonly about: string
  readonly min: number
  readonly max?: number
  readonly step: number
}

const numbers: readonly NumberField[] = [
  { name: 'temperature', label: 'Temperature', about: '0 to 2; 0 is least random', min: 0, max: 2, step: 0.1 },
  { name: 'topP', label: 'Top P', about: '0 to 1', min: 0, max: 1, step: 0.05 },
  { name: 'maxOutputTokens', label: 'Most tokens of a reply', about: 'a whole number', min: 1, step: 1 },
]

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
  const source = (name: keyof ModelParams) => sources?.[`params.${name}`]
  return (
    <div className="params">
      {numbers.map(({ name, label, about, ...limits }) => (
        <div key={name}>
          <label className="field-label" htmlFor={`${scope}-${name}`}>
            {label} <span className="about">{about}</span>
          </label>
          <input
            id={`${scope}-${name}`}
            type="number"
            {...limits}
            value={draft[name]}
            readOnly={source(name)?.fixed ?? false}
            placeholder={otherwise}
            onChange={event => write({ ...draft, [name]: event.target.value })}
          />
          <Source setting={source(name)} />
        </div>
      ))}
      <div>
        <label className="field-label" htmlFor={`${scope}-reasoning`}>
          Reasoning <span className="about">where the model can</span>
        </label>
        <select
          id={`${scope}-reasoning`}
          value={draft.reasoning}
          disabled={source('reasoning')?.fixed ?? false}
          onChange={event => write({ ...draft, reasoning: event.target.value })}
        >
          <option value="">{otherwise}</option>
          <option value="low">low</option>
          <option value="medium">medium</option>
          <option value="high">high</option>
        </select>
        <Source setting={source('reasoning')} />
      </div>
    </div>
  )
}

function Source({ setting }: { readonly setting: WireSetting | undefined }): ReactNode {
  return setting && setting.from !== 'default' ? <SourceNote source={setting} /> : null
}
