import { type FormEvent, type ReactNode, useState } from 'react'
import type { ProviderTrialResult, WireProvider, WireSettings, WireVariable } from 'turnbuckle/client'
import { callServer } from '../../state/call-server.ts'
import { SaveButton } from '../save-button.tsx'
import { SourceNote } from '../source-note.tsx'
import type { ChangeSettings } from '../use-settings.ts'

interface Props {
  readonly provider: WireProvider
  readonly settings: WireSettings
  readonly change: ChangeSettings
}

type Trial = ProviderTrialResult | 'running' | undefined
const unset: WireVariable = { set: false, from: 'default' }

/** A provider: its key, which can be written and not read, its address, and a button that tries them with one call. */
export function ProviderCard({ provider, settings, change }: Props): ReactNode {
  const { name, about } = provider
  const key = settings.env[provider.key ?? ''] ?? unset
  const address = settings.env[provider.address] ?? unset
  const [newKey, setKey] = useState('')
  const [newAddress, setAddress] = useState(address.value ?? '')
  const [model, setModel] = useState('')
  const [trial, setTrial] = useState<Trial>()
  const given = newKey.trim()
  const moved = newAddress.trim() !== (address.value ?? '')
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const env = {
      ...(provider.key && given ? { [provider.key]: given } : {}),
      ...(moved ? { [provider.address]: newAddress.trim() || null } : {}),
    }
    if (await change({ env })) setKey('')
  }
  const test = async () => {
    if (trial === 'running') return
    setTrial('running')
    const place = moved && newAddress.trim() ? { address: newAddress.trim() } : {}
    const asked = model.trim() ? { model: model.trim() } : {}
    setTrial(
      await callServer(client => client.testProvider(name, { ...(given ? { key: given } : {}), ...place, ...asked })),
    )
  }
  return (
    <form className="settings-card" aria-labelledby={`provider-${name}`} onSubmit={event => void save(event)}>
      <h3 id={`provider-${name}`}>
        {name} <span className="about">{about}</span>
      </h3>
      {provider.key && <KeyField name={provider.key} variable={key} value={newKey} write={setKey} />}
      <details className="more-fields" open={provider.asksAddress ?? address.set}>
        <summary>Address, and model to try</summary>
        <AddressField name={provider.address} variable={address} value={newAddress} write={setAddress} />
        <ModelField name={name} value={model} write={setModel} />
      </details>
      <div className="settings-actions">
        <SaveButton changed={given !== '' || moved} />
        <button type="button" className="button small" aria-disabled={trial === 'running'} onClick={() => void test()}>
          Test
        </button>
        {provider.key && key.set && !key.fixed && <RemoveKey name={provider.key} change={change} />}
      </div>
      <TrialResult trial={trial} />
    </form>
  )
}

interface FieldProps {
  readonly name: string
  readonly variable: WireVariable
  readonly value: string
  readonly write: (value: string) => void
}

function KeyField({ name, variable, value, write }: FieldProps): ReactNode {
  return (
    <>
      <label className="field-label" htmlFor={name}>
        Key
      </label>
      <input
        id={name}
        type="password"
        value={value}
        readOnly={variable.fixed ?? false}
        placeholder={variable.fixed ? 'Set' : variable.set ? 'Set. Write another to replace it' : 'None'}
        aria-describedby={`${name}-source`}
        autoComplete="off"
        onChange={event => write(event.target.value)}
      />
      {variable.set || variable.fixed ? (
        <SourceNote id={`${name}-source`} source={variable} />
      ) : (
        <p className="source-note" id={`${name}-source`}>
          No key is set.
        </p>
      )}
    </>
  )
}

function AddressField({ name, variable, value, write }: FieldProps): ReactNode {
  return (
    <>
      <label className="field-label" htmlFor={name}>
        Address
      </label>
      <input
        id={name}
        type="url"
        value={value}
        readOnly={variable.fixed ?? false}
        placeholder="The provider’s own"
        aria-describedby={`${name}-source`}
        autoComplete="off"
        onChange={event => write(event.target.value)}
      />
      <SourceNote id={`${name}-source`} source={variable} />
    </>
  )
}

function ModelField({ name, value, write }: Omit<FieldProps, 'variable'>): ReactNode {
  return (
    <>
      <label className="field-label" htmlFor={`model-${name}`}>
        Model to try <span className="about">optional</span>
      </label>
      <input
        id={`model-${name}`}
        value={value}
        placeholder={`${name}/…`}
        autoComplete="off"
        spellCheck={false}
        onChange={event => write(event.target.value)}
      />
    </>
  )
}

function RemoveKey({ name, change }: { readonly name: string; readonly change: ChangeSettings }): ReactNode {
  return (
    <button type="button" className="button small danger" onClick={() => void change({ env: { [name]: null } })}>
      Remove the key
    </button>
  )
}

function TrialResult({ trial }: { readonly trial: Trial }): ReactNode {
  return (
    <p className="trial" role="status" data-works={typeof trial === 'object' ? trial.works : undefined}>
      {trial === 'running' && 'Asking …'}
      {typeof trial === 'object' &&
        (trial.works ? `${trial.model} answers.` : (trial.problem ?? 'It does not answer.'))}
    </p>
  )
}
