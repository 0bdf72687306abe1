import type { ReactNode } from 'react'
import type { Client, ToolPermission, WireRules, WireTool } from 'turnbuckle/client'
import { useAppState } from '../../state/app-state.ts'
import { formatJson } from '../../ui/format-json.ts'
import { Icon } from '../../ui/icon.tsx'
import type { StartField } from '../start/start-draft.ts'
import { StartForm } from '../start/start-form.tsx'
import { useLoaded } from '../use-loaded.ts'
import { type ChangeSettings, useSettings } from '../use-settings.ts'
import { withPermission } from './rule-lists.ts'
import { RulesCard } from './rules-card.tsx'

const load = (client: Client) => client.tools()

const onOrOff = { true: 'on', false: 'off' }
const programTools: readonly StartField[] = [
  { name: 'tools.files', label: 'Files', choices: { true: 'read and write', read: 'only read', false: 'off' } },
  { name: 'tools.shell', label: 'Commands', about: 'shell', choices: onOrOff },
  { name: 'tools.fetch', label: 'Web pages', about: 'fetch_url', choices: onOrOff },
]

const words: Readonly<Record<ToolPermission['decision'], string>> = {
  allow: 'runs',
  ask: 'is asked about',
  deny: 'never runs',
}

/** The tools that the model is offered, each with the schema of its arguments and what the rules say. Owners change the rules. */
export function ToolsSection(): ReactNode {
  const isOwner = useAppState(app => app.me?.role === 'owner')
  const [tools, reload] = useLoaded(load)
  if (!tools) return <p className="rail-note">Loading …</p>
  if (tools.some(({ permission }) => permission) && isOwner) return <OwnersTools tools={tools} reload={reload} />
  return (
    <>
      <p className="settings-lead">
        {tools.length ? 'The tools that the model is offered.' : 'This agent has no tools.'}
      </p>
      <Tools tools={tools} />
    </>
  )
}

function OwnersTools({
  tools,
  reload,
}: {
  readonly tools: readonly WireTool[]
  readonly reload: () => void
}): ReactNode {
  const [settings, change] = useSettings()
  if (!settings) return <Tools tools={tools} />
  const changeRules: ChangeSettings = async wanted => {
    const isDone = await change(wanted)
    if (isDone) reload()
    return isDone
  }
  return (
    <>
      <p className="settings-lead">
        What you change here is in your file, and counts from the next call on. What you allowed in a chat is in the
        inspector.
      </p>
      <StartForm title="Tools of the program" fields={programTools} settings={settings.settings} change={change} />
      <RulesCard rules={settings.permissions} change={changeRules} />
      <Tools tools={tools} rules={settings.permissions} change={changeRules} />
    </>
  )
}

interface ChangeProps {
  readonly rules?: WireRules
  readonly change?: ChangeSettings
}

function Tools({ tools, ...more }: ChangeProps & { readonly tools: readonly WireTool[] }): ReactNode {
  return (
    <ul className="settings-list">
      {tools.map(tool => (
        <li key={tool.name}>
          <Tool tool={tool} {...more} />
        </li>
      ))}
    </ul>
  )
}

function Tool({ tool, rules, change }: ChangeProps & { readonly tool: WireTool }): ReactNode {
  const { name, description, schema, permission } = tool
  return (
    <details className="settings-item">
      <summary>
        <strong>{name}</strong>
        {permission && (
          <span className="mark-word" data-tone={permission.decision}>
            {words[permission.decision]}
          </span>
        )}
      </summary>
      {description && <p>{description}</p>}
      {permission && rules && change && (
        <PermissionField name={name} now={permission.decision} rules={rules} change={change} />
      )}
      {permission && <RulesAbout name={name} rules={permission.rules} />}
      <h3>Arguments</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long schema is scrolled with the keyboard */}
      <pre className="value" tabIndex={0}>
        {formatJson(schema)}
      </pre>
    </details>
  )
}

function RulesAbout({ name, rules }: { readonly name: string; readonly rules: readonly string[] }): ReactNode {
  if (!rules.length) return null
  return (
    <ul className="rules" aria-label={`Rules about ${name}`}>
      {rules.map(rule => (
        <li key={rule}>
          <code className="inline-code">{rule}</code>
        </li>
      ))}
    </ul>
  )
}

interface PermissionFieldProps extends Required<ChangeProps> {
  readonly name: string
  readonly now: ToolPermission['decision']
}

const fixedWords = {
  ask: 'The project’s rules ask about it: it can be forbidden here, and not allowed.',
  deny: 'Fixed by the project’s rules.',
}

/** The permission of a whole tool. The project's rules can be tightened here, and not loosened. */
function PermissionField({ name, now, rules, change }: PermissionFieldProps): ReactNode {
  const fixed = (['deny', 'ask'] as const).find(list =>
    rules.project[list]?.some(rule => rule === name || rule === '*'),
  )
  const note = `permission-note-${name}`
  return (
    <>
      <label className="field-label" htmlFor={`permission-${name}`}>
        A call of it
      </label>
      <select
        id={`permission-${name}`}
        value={now}
        disabled={fixed === 'deny'}
        aria-describedby={fixed && note}
        onChange={event =>
          void change({ permissions: withPermission(rules, name, event.target.value as ToolPermission['decision']) })
        }
      >
        {Object.entries(words).map(([decision, label]) => (
          <option key={decision} value={decision} disabled={fixed !== undefined && decision === 'allow'}>
            {label}
          </option>
        ))}
      </select>
      {fixed && (
        <p className="source-note" id={note} data-fixed="true">
          <Icon name="lock" size={14} /> {fixedWords[fixed]}
        </p>
      )}
    </>
  )
}
