import { type FormEvent, type ReactNode, useState } from 'react'
import type { ModelParams, WireSetting, WireSettings } from 'turnbuckle/client'
import { SaveButton } from '../save-button.tsx'
import { SourceNote } from '../source-note.tsx'
import type { StartField } from '../start/start-draft.ts'
import { StartForm } from '../start/start-form.tsx'
import { type ChangeSettings, useSettings } from '../use-settings.ts'
import { paramsChange, paramsDraft } from './params-draft.ts'
import { ParamsFields } from './params-fields.tsx'

/** Instructions and parameters for all conversations. */
export function BehaviourSection(): ReactNode {
  const [settings, change] = useSettings()
  if (!settings) return <p className="rail-note">Loading …</p>
  return (
    <>
      <p className="settings-lead">
        For all conversations. One conversation can have more of its own: choose “Instructions and parameters” in the
        menu of its model, below the message box.
      </p>
      <Form settings={settings} change={change} />
      <StartForm title="Limits" fields={limits} settings={settings.settings} change={change} />
      <StoreNote setting={settings.settings.store} />
    </>
  )
}

const valuesOf = (settings: WireSettings['settings']): ModelParams =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([name, { value }]) => name.startsWith('params.') && value !== undefined)
      .map(([name, { value }]) => [name.slice('params.'.length), value]),
  )

function Form({ settings, change }: { readonly settings: WireSettings; readonly change: ChangeSettings }): ReactNode {
  const { instructions = { from: 'default' } satisfies WireSetting } = settings.settings
  const told = String(instructions.value ?? '')
  const params = valuesOf(settings.settings)
  const [text, setText] = useState(told)
  const [draft, setDraft] = useState(() => paramsDraft(params))
  const changed = paramsChange(params, draft)
  const save = (event: FormEvent) => {
    event.preventDefault()
    void change({
      ...(text === told ? {} : { instructions: text.trim() || null }),
      ...(Object.keys(changed).length ? { params: changed } : {}),
    })
  }
  return (
    <form className="settings-card" onSubmit={save}>
      <label className="field-label" htmlFor="instructions">
        Instructions
      </label>
      <textarea
        id="instructions"
        rows={8}
        value={text}
        readOnly={instructions.fixed ?? false}
        aria-describedby="instructions-source"
        placeholder="Every model call begins with these. A project’s AGENTS.md is added."
        onChange={event => setText(event.target.value)}
      />
      <SourceNote id="instructions-source" source={instructions} />
      <ParamsFields
        scope="all"
        draft={draft}
        write={setDraft}
        sources={settings.settings}
        otherwise="The model’s own"
      />
      <div className="settings-actions">
        <SaveButton changed={text !== told || Object.keys(changed).length > 0} />
      </div>
    </form>
  )
}

const limits: readonly StartField[] = [
  { name: 'maxSteps', label: 'Most steps of a turn', about: 'model calls', unit: 1, min: 1 },
  { name: 'retry', label: 'Retries of a failed model call', about: '0 for none', unit: 1, min: 0 },
  {
    name: 'firstDataTimeoutMs',
    label: 'Seconds until a reply begins',
    about: '0 for no limit',
    unit: 1000,
    min: 0,
  },
  {
    name: 'idleTimeoutMs',
    label: 'Seconds between two pieces of a reply',
    about: '0 for no limit',
    unit: 1000,
    min: 0,
  },
]

/** The place of the conversations is chosen in the file: the page that would change it is kept there. */
function StoreNote({ setting = { from: 'default' } }: { readonly setting?: WireSetting | undefined }): ReactNode {
  return (
    <section className="settings-card" aria-labelledby="store">
      <h3 id="store">Where conversations are kept</h3>
      <p className="trial">{String(setting.value ?? '')}</p>
      <SourceNote source={setting} />
    </section>
  )
}
