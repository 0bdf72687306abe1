import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { MiddlewareSetting } from 'turnbuckle/client'
import { FormEnd } from '../form-end.tsx'
import { LabelledField } from '../labelled-field.tsx'
import { type EntryDraft, entryDraft, entryOf } from './entry-draft.ts'

interface Props {
  /** Absent for a new entry. */
  readonly entry?: MiddlewareSetting
  /** The names that a new entry can have. */
  readonly names: readonly string[]
  readonly save: (entry: MiddlewareSetting) => Promise<boolean>
  readonly done: () => void
}

/** A form for an entry of `middleware` in the user's file. */
export function EntryForm({ entry, names, save, done }: Props): ReactNode {
  const [draft, setDraft] = useState(() => entryDraft(entry ?? { use: '' }))
  const [problem, setProblem] = useState<string>()
  const id = useId()
  const write = (more: Partial<EntryDraft>) => setDraft({ ...draft, ...more })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const read = entryOf(draft)
    if (typeof read === 'string') return setProblem(read)
    setProblem(undefined)
    if (await save(read)) done()
  }
  return (
    <form className="settings-card" aria-label={entry?.use ?? 'New middleware'} onSubmit={event => void submit(event)}>
      {!entry && <NameField value={draft.use} names={names} write={use => write({ use })} />}
      <LabelledField
        label="Options"
        about="JSON"
        lines={5}
        value={draft.options}
        write={options => write({ options })}
        placeholder="{ }"
      />
      <LabelledField
        label="Priority"
        about="lower runs first; empty for its own"
        value={draft.priority}
        write={priority => write({ priority })}
      />
      <label className="check-field" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={draft.enabled}
          onChange={event => write({ enabled: event.target.checked })}
        />
        Switched on
      </label>
      <FormEnd problem={problem} save="Save" cancel={done} />
    </form>
  )
}

interface NameProps {
  readonly value: string
  readonly names: readonly string[]
  readonly write: (value: string) => void
}

function NameField({ value, names, write }: NameProps): ReactNode {
  const id = useId()
  return (
    <>
      <label className="field-label" htmlFor={id}>
        Middleware
      </label>
      <select id={id} value={value} onChange={event => write(event.target.value)}>
        <option value="">Choose one …</option>
        {names.map(name => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </>
  )
}
