import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { WireMcpSetting } from 'turnbuckle/client'
import { FormEnd } from '../form-end.tsx'
import { LabelledField } from '../labelled-field.tsx'
import type { ChangeSettings } from '../use-settings.ts'
import { type McpDraft, mcpDraft, mcpSettingOf } from './mcp-draft.ts'

interface Props {
  /** Absent for a new server. */
  readonly name?: string
  readonly setting?: WireMcpSetting
  readonly change: ChangeSettings
  /** Called when the server was saved, or the person gave up. */
  readonly done: () => void
}

/** A form for an MCP server of the user's file. Values of variables and headers can be written and not read. */
export function McpForm({ name, setting, change, done }: Props): ReactNode {
  const [draft, setDraft] = useState(() => mcpDraft(name, setting))
  const [problem, setProblem] = useState<string>()
  const write = (more: Partial<McpDraft>) => setDraft({ ...draft, ...more })
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const read = mcpSettingOf(draft)
    if (typeof read === 'string') return setProblem(read)
    setProblem(undefined)
    if (await change({ mcpServers: { [draft.name.trim()]: read } })) done()
  }
  return (
    <form className="settings-card" aria-label={name ?? 'A new server'} onSubmit={event => void save(event)}>
      {name === undefined && <LabelledField label="Name" value={draft.name} write={value => write({ name: value })} />}
      <KindField kind={draft.kind} write={kind => write({ kind })} />
      {draft.kind === 'command' ? (
        <CommandFields draft={draft} write={write} />
      ) : (
        <LabelledField label="Address" value={draft.url} write={url => write({ url })} placeholder="https://…" />
      )}
      <SecretsField draft={draft} kept={setting?.env ?? setting?.headers ?? []} write={write} />
      <FormEnd problem={problem} save="Save and connect" cancel={done} />
    </form>
  )
}

interface DraftProps {
  readonly draft: McpDraft
  readonly write: (more: Partial<McpDraft>) => void
}

function KindField({
  kind,
  write,
}: {
  readonly kind: McpDraft['kind']
  readonly write: (kind: McpDraft['kind']) => void
}) {
  const id = useId()
  return (
    <>
      <label className="field-label" htmlFor={id}>
        It is
      </label>
      <select id={id} value={kind} onChange={event => write(event.target.value as McpDraft['kind'])}>
        <option value="command">a program on the server</option>
        <option value="url">an address</option>
      </select>
    </>
  )
}

function CommandFields({ draft, write }: DraftProps): ReactNode {
  return (
    <>
      <LabelledField label="Program" value={draft.command} write={command => write({ command })} placeholder="npx" />
      <LabelledField
        label="Arguments"
        about="one a line"
        lines={3}
        value={draft.args}
        write={args => write({ args })}
        placeholder={'-y\nsome-server'}
      />
      <p className="source-note">It runs on the server, as the person who started it.</p>
    </>
  )
}

function SecretsField({ draft, kept, write }: DraftProps & { readonly kept: readonly string[] }): ReactNode {
  const what = draft.kind === 'command' ? 'Variables' : 'Headers'
  return (
    <>
      <LabelledField
        label={what}
        about="NAME=value, one a line"
        lines={2}
        value={draft.secrets}
        write={secrets => write({ secrets })}
      />
      <p className="source-note">
        {kept.length
          ? `Kept and never shown: ${kept.join(', ')}. “NAME=” takes one back; for another program or address write them anew.`
          : 'They are kept on the server, and never shown again.'}
      </p>
    </>
  )
}
