import { type FormEvent, type ReactNode, useState } from 'react'
import type { WireSetting, WireSettings } from 'turnbuckle/client'
import { SaveButton } from '../save-button.tsx'
import { SourceNote } from '../source-note.tsx'
import type { ChangeSettings } from '../use-settings.ts'
import { type ChoiceField, type NumberField, type StartField, startChange, startDraft } from './start-draft.ts'

interface Props {
  readonly title: string
  readonly fields: readonly StartField[]
  readonly settings: WireSettings['settings']
  readonly change: ChangeSettings
}

/** Fields for settings that are read at the start: a change is in the file, and counts from the next start on. */
export function StartForm({ title, fields, settings, change }: Props): ReactNode {
  const [draft, setDraft] = useState(() => startDraft(fields, settings))
  const changed = startChange(fields, settings, draft)
  const save = (event: FormEvent) => {
    event.preventDefault()
    void change(changed)
  }
  return (
    <form className="settings-card" aria-label={title} onSubmit={save}>
      <h3>{title}</h3>
      <p className="source-note">Read at the start: a change counts from the next start of the server on.</p>
      <div className="params">
        {fields.map(field => (
          <Field
            key={field.name}
            field={field}
            text={draft[field.name] ?? ''}
            setting={settings[field.name] ?? { from: 'default' }}
            write={text => setDraft({ ...draft, [field.name]: text })}
          />
        ))}
      </div>
      <div className="settings-actions">
        <SaveButton changed={Object.keys(changed).length > 0} />
      </div>
    </form>
  )
}

interface FieldProps<Kind = StartField> {
  readonly field: Kind
  readonly text: string
  readonly setting: WireSetting
  readonly write: (text: string) => void
}

function Field({ field, text, setting, write }: FieldProps): ReactNode {
  return (
    <div>
      <label className="field-label" htmlFor={`start-${field.name}`}>
        {field.label} {field.about && <span className="about">{field.about}</span>}
      </label>
      {'unit' in field ? (
        <NumberInput field={field} text={text} setting={setting} write={write} />
      ) : (
        <Choice field={field} text={text} setting={setting} write={write} />
      )}
      {setting.from !== 'default' && <SourceNote source={setting} />}
      {setting.later !== undefined && <p className="source-note">Until the next start: {inWords(field, setting)}</p>}
    </div>
  )
}

const inWords = (field: StartField, { value }: WireSetting): string =>
  'unit' in field ? String(Number(value) / field.unit) : (field.choices[String(value)] ?? String(value))

const NumberInput = ({ field, text, setting, write }: FieldProps<NumberField>): ReactNode => (
  <input
    id={`start-${field.name}`}
    type="number"
    min={field.min}
    step={field.unit === 1 ? 1 : 'any'}
    value={text}
    readOnly={setting.fixed ?? false}
    placeholder="The default"
    onChange={event => write(event.target.value)}
  />
)

const Choice = ({ field, text, setting, write }: FieldProps<ChoiceField>): ReactNode => (
  <select
    id={`start-${field.name}`}
    value={text}
    disabled={setting.fixed ?? false}
    onChange={event => write(event.target.value)}
  >
    {Object.entries(field.choices).map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
)
