import { type ReactNode, useState } from 'react'
import type { Client, MiddlewareSetting, WireMiddleware, WireMiddlewareEntry, WireSettings } from 'turnbuckle/client'
import { useAppState } from '../../state/app-state.ts'
import { useLoaded } from '../use-loaded.ts'
import { useSettings } from '../use-settings.ts'
import { ownEntries } from './entry-draft.ts'
import { EntryForm } from './entry-form.tsx'
import { MiddlewareItem } from './middleware-item.tsx'
import { TrustList } from './trust-list.tsx'

const loadMiddleware = (client: Client) => client.middleware()
const loadUntrusted = async (client: Client) => (await client.untrusted()).filter(({ kind }) => kind !== 'mcp')

/** The middleware of the agent. Owners change the entries of their file, and see hooks that wait for trust. */
export function MiddlewareSection(): ReactNode {
  const isOwner = useAppState(app => app.me?.role === 'owner')
  const [list, reload] = useLoaded(loadMiddleware)
  if (!list) return <p className="rail-note">Loading …</p>
  return isOwner ? <OwnersList list={list} reload={reload} /> : <Items list={list} />
}

interface OwnersProps {
  readonly list: readonly WireMiddleware[]
  readonly reload: () => void
}

function OwnersList({ list, reload }: OwnersProps): ReactNode {
  const [settings, change, readAgain] = useSettings()
  const [items, look] = useLoaded(loadUntrusted)
  const [isAdding, setAdding] = useState(false)
  const again = () => {
    look()
    readAgain()
    reload()
  }
  const own = ownEntries(settings?.middleware ?? [])
  const replace = async (middleware: readonly MiddlewareSetting[]) => {
    const isDone = await change({ middleware })
    if (isDone) reload()
    return isDone
  }
  return (
    <>
      <p className="settings-lead">
        The entries of your file can be changed here. The inspector of a conversation switches middleware, and shows
        what each hook costs.
      </p>
      {items && <TrustList items={items} reload={again} />}
      <Items list={list} entries={settings?.middleware ?? []} own={own} replace={replace} />
      {isAdding && (
        <EntryForm
          names={settings?.middlewareNames ?? []}
          save={entry => replace([...own, entry])}
          done={() => setAdding(false)}
        />
      )}
      {settings && !isAdding && (
        <button type="button" className="button settings-add" onClick={() => setAdding(true)}>
          Add middleware
        </button>
      )}
    </>
  )
}

interface ItemsProps {
  readonly list: readonly WireMiddleware[]
  readonly entries?: WireSettings['middleware']
  readonly own?: readonly MiddlewareSetting[]
  readonly replace?: (entries: readonly MiddlewareSetting[]) => Promise<boolean>
}

/** The middleware of the agent with its entries; behind it the entries that have made none yet. */
function Items({ list, entries = [], own = [], replace }: ItemsProps): ReactNode {
  const rows = [
    ...list.map(middleware => ({
      key: middleware.name,
      middleware,
      entry: entries.find(({ names }) => names.includes(middleware.name)),
    })),
    ...entries.filter(({ later }) => later).map((entry, i) => ({ key: `later ${i}`, middleware: undefined, entry })),
  ]
  const actions = (entry: WireMiddlewareEntry | undefined) => {
    const at = entry?.from === 'user' ? entries.filter(({ from }) => from === 'user').indexOf(entry) : -1
    if (!replace || at < 0) return undefined
    return {
      save: (changed: MiddlewareSetting) => replace(own.map((one, i) => (i === at ? changed : one))),
      remove: () => replace(own.filter((_, i) => i !== at)),
    }
  }
  return (
    <ul className="settings-list">
      {rows.map(({ key, middleware, entry }) => (
        <li key={key} className="settings-item">
          <MiddlewareItem middleware={middleware} entry={entry} actions={actions(entry)} />
        </li>
      ))}
    </ul>
  )
}
