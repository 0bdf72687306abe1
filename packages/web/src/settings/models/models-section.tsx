import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { WireSettings } from 'turnbuckle/client'
import { useAppState } from '../../state/app-state.ts'
import { SaveButton } from '../save-button.tsx'
import { SourceNote } from '../source-note.tsx'
import { type ChangeSettings, useSettings } from '../use-settings.ts'
import { ProviderCard } from './provider-card.tsx'

/** The default model, and the providers with their keys. */
export function ModelsSection(): ReactNode {
  const [settings, change] = useSettings()
  if (!settings) return <p className="rail-note">Loading …</p>
  return (
    <>
      <p className="settings-lead">
        Keys are kept on the server, in <code className="inline-code">{settings.file}</code>, which only its user can
        read. They are never shown again.
      </p>
      <DefaultModel settings={settings} change={change} />
      {settings.providers.map(provider => (
        <ProviderCard key={provider.name} provider={provider} settings={settings} change={change} />
      ))}
    </>
  )
}

interface Props {
  readonly settings: WireSettings
  readonly change: ChangeSettings
}

function DefaultModel({ settings, change }: Props): ReactNode {
  const { value, ...source } = settings.settings.model ?? { from: 'default' as const, value: '' }
  const [name, setName] = useState(String(value))
  useEffect(() => setName(String(value)), [value])
  const save = (event: FormEvent) => {
    event.preventDefault()
    void change({ model: name.trim() || null })
  }
  return (
    <form className="settings-card" onSubmit={save}>
      <label className="field-label" htmlFor="default-model">
        Default model
      </label>
      <input
        id="default-model"
        list="known-models"
        value={name}
        readOnly={source.fixed ?? false}
        aria-describedby="default-model-source"
        autoComplete="off"
        spellCheck={false}
        onChange={event => setName(event.target.value)}
      />
      <KnownModels />
      {value === 'offline' && <p className="source-note">offline is a script, no AI.</p>}
      {source.from === 'default' ? (
        <p className="source-note" id="default-model-source">
          Not set: chosen by the keys there are.
        </p>
      ) : (
        <SourceNote id="default-model-source" source={source} />
      )}
      {!source.fixed && (
        <div className="settings-actions">
          <SaveButton changed={name.trim() !== value} />
          {source.from === 'user' && (
            <button type="button" className="button small" onClick={() => void change({ model: null })}>
              Choose by the keys there are
            </button>
          )}
        </div>
      )}
    </form>
  )
}

/** The names that the field for the default model offers. */
function KnownModels(): ReactNode {
  const models = useAppState(app => app.models?.models) ?? []
  return (
    <datalist id="known-models">
      {models.map(({ id, offline }) => (
        <option key={id} value={id}>
          {offline ? 'a script, no AI' : undefined}
        </option>
      ))}
    </datalist>
  )
}
