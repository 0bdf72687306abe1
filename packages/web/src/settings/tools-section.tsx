import type { ReactNode } from 'react'
import type { Client, ToolPermission, WireTool } from 'turnbuckle/client'
import { formatJson } from '../ui/format-json.ts'
import { useLoaded } from './use-loaded.ts'

const load = (client: Client) => client.tools()

const words: Readonly<Record<ToolPermission['decision'], string>> = {
  allow: 'runs',
  ask: 'is asked about',
  deny: 'never runs',
}

/** The tools that the model is offered, each with the schema of its arguments and what the rules say. */
export function ToolsSection(): ReactNode {
  const [tools] = useLoaded(load)
  if (!tools) return <p className="rail-note">Loading …</p>
  if (!tools.length) return <p className="settings-lead">This agent has no tools.</p>
  return (
    <>
      <p className="settings-lead">
        Rules are written in the settings files, under <code className="inline-code">permissions</code>. What you
        allowed in a chat is in the inspector.
      </p>
      <ul className="settings-list">
        {tools.map(tool => (
          <li key={tool.name}>
            <Tool tool={tool} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Tool({ tool: { name, description, schema, permission } }: { readonly tool: WireTool }): ReactNode {
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
      {permission && permission.rules.length > 0 && (
        <ul className="rules" aria-label={`Rules about ${name}`}>
          {permission.rules.map(rule => (
            <li key={rule}>
              <code className="inline-code">{rule}</code>
            </li>
          ))}
        </ul>
      )}
      <h3>Arguments</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long schema is scrolled with the keyboard */}
      <pre className="value" tabIndex={0}>
        {formatJson(schema)}
      </pre>
    </details>
  )
}
