import type { ReactNode } from 'react'
import type { Client, WireMiddleware, WireMiddlewareEntry } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { formatJson } from '../ui/format-json.ts'
import { TrustList } from './trust-list.tsx'
import { useLoaded } from './use-loaded.ts'

const loadEntries = async (client: Client) => (await client.settings()).middleware
const loadUntrusted = async (client: Client) => (await client.untrusted()).filter(({ kind }) => kind !== 'mcp')

/** The middleware of the agent. Owners see the options of the settings, and hooks that wait for trust. */
export function MiddlewareSection(): ReactNode {
  const isOwner = useAppState(app => app.me?.role === 'owner')
  return isOwner ? <OwnersList /> : <MiddlewareItems entries={[]} />
}

function OwnersList(): ReactNode {
  const [entries, reloadEntries] = useLoaded(loadEntries)
  const [items, look] = useLoaded(loadUntrusted)
  const reload = () => {
    look()
    reloadEntries()
  }
  return (
    <>
      <p className="settings-lead">
        Options are written in the settings files, under <code className="inline-code">middleware</code>. The inspector
        of a conversation switches middleware, and shows what each hook costs.
      </p>
      {items && items.length > 0 && <TrustList items={items} reload={reload} />}
      <MiddlewareItems key={items?.length} entries={entries ?? []} />
    </>
  )
}

const loadMiddleware = (client: Client) => client.middleware()

function MiddlewareItems({ entries }: { readonly entries: readonly WireMiddlewareEntry[] }): ReactNode {
  const [list] = useLoaded(loadMiddleware)
  if (!list) return <p className="rail-note">Loading …</p>
  return (
    <ul className="settings-list">
      {list.map(one => (
        <li key={one.name} className="settings-item">
          <Item middleware={one} entry={entries.find(({ names }) => names.includes(one.name))} />
        </li>
      ))}
    </ul>
  )
}

interface ItemProps {
  readonly middleware: WireMiddleware
  readonly entry: WireMiddlewareEntry | undefined
}

function Item({ middleware: { name, guard, enabled, priority }, entry }: ItemProps): ReactNode {
  return (
    <>
      <p className="settings-item-head">
        <strong>{name}</strong>
        {guard && <span className="mark-word">guard</span>}
        <span className="mark-word" data-tone={enabled ? 'allow' : 'deny'}>
          {enabled ? 'on' : 'off'}
        </span>
        <span className="about">priority {priority}</span>
      </p>
      {entry && (
        <p className="about">
          {entry.use}, {entry.from === 'user' ? 'your file' : 'the project'}
        </p>
      )}
      {entry?.options !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long options are scrolled with the keyboard
        <pre className="value" tabIndex={0}>
          {formatJson(entry.options)}
        </pre>
      )}
    </>
  )
}
