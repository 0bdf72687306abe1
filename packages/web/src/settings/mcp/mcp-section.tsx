import { type ReactNode, useEffect, useState } from 'react'
import type { Client, WireMcpServer, WireMcpSetting, WireSettings, WireTrustItem } from 'turnbuckle/client'
import { useAppState } from '../../state/app-state.ts'
import { TrustItem, TrustList } from '../middleware/trust-list.tsx'
import { FileNote } from '../source-note.tsx'
import { useLoaded } from '../use-loaded.ts'
import { type ChangeSettings, useSettings } from '../use-settings.ts'
import { McpForm } from './mcp-form.tsx'

const loadServers = (client: Client) => client.mcpServers()
const loadUntrusted = async (client: Client) => (await client.untrusted()).filter(({ kind }) => kind === 'mcp')

/** Milliseconds between two looks at a server that is being connected. */
const lookMs = 1000

const words: Readonly<Record<WireMcpServer['state'], string>> = {
  connecting: 'connecting …',
  ready: 'ready',
  failed: 'failed',
  closed: 'closed',
  untrusted: 'not trusted',
}
const tones = { connecting: 'ask', ready: 'allow', failed: 'deny', closed: 'deny', untrusted: 'ask' } as const

/** The MCP servers of the settings with their state; owners change those of their file, and trust those of a project. */
export function McpSection(): ReactNode {
  const isOwner = useAppState(app => app.me?.role === 'owner')
  const [servers, reload] = useLoaded(loadServers)
  const isConnecting = servers?.some(({ state }) => state === 'connecting') ?? false
  useEffect(() => {
    if (!isConnecting) return
    const timer = setInterval(reload, lookMs)
    return () => clearInterval(timer)
  }, [isConnecting, reload])
  if (!servers) return <p className="rail-note">Loading …</p>
  return (
    <>
      <p className="settings-lead">
        Programs that bring the model tools. A project’s run only after an owner has trusted that exact command or
        address.
      </p>
      {isOwner ? <OwnersServers servers={servers} reload={reload} /> : <Servers servers={servers} />}
    </>
  )
}

interface ServersProps {
  readonly servers: readonly WireMcpServer[]
  /** The user's servers, which can be changed. */
  readonly own?: WireSettings['mcpServers']
  readonly change?: ChangeSettings
  /** What waits for an owner's trust, and what is done after it. */
  readonly waiting?: readonly WireTrustItem[]
  readonly again?: () => void
}

function OwnersServers({
  servers,
  reload,
}: {
  readonly servers: readonly WireMcpServer[]
  readonly reload: () => void
}) {
  const [settings, change] = useSettings()
  const [waiting = [], look] = useLoaded(loadUntrusted)
  const [isAdding, setAdding] = useState(false)
  const again = () => {
    look()
    reload()
  }
  const changeServers: ChangeSettings = async wanted => {
    const isDone = await change(wanted)
    if (isDone) reload()
    return isDone
  }
  return (
    <>
      <TrustList items={waiting.filter(item => !servers.some(server => waitsIn(item, server)))} reload={again} />
      <Servers
        servers={servers}
        waiting={waiting}
        again={again}
        {...(settings ? { own: settings.mcpServers, change: changeServers } : {})}
      />
      {isAdding && <McpForm change={changeServers} done={() => setAdding(false)} />}
      {settings && !isAdding && (
        <button type="button" className="button settings-add" onClick={() => setAdding(true)}>
          Add a server
        </button>
      )}
    </>
  )
}

/** The part of a project that waits for trust is this server: it is shown once, in the server's row. */
const waitsIn = ({ name }: WireTrustItem, server: WireMcpServer): boolean =>
  server.state === 'untrusted' && name === `mcp:${server.name}`

function Servers({ servers, own, change, waiting = [], again = () => {} }: ServersProps): ReactNode {
  if (!servers.length) return <p>There are none.</p>
  return (
    <ul className="settings-list">
      {servers.map(server => {
        const setting = server.from === 'user' ? own?.[server.name] : undefined
        const item = waiting.find(one => waitsIn(one, server))
        return (
          <li key={`${server.from} ${server.name}`} className="settings-item">
            <Server server={server} />
            {item && (
              <TrustItem item={item} reload={again}>
                Trust {server.name} …
              </TrustItem>
            )}
            {setting && change && <ServerActions name={server.name} setting={setting} change={change} />}
          </li>
        )
      })}
    </ul>
  )
}

interface ActionsProps {
  readonly name: string
  readonly setting: WireMcpSetting
  readonly change: ChangeSettings
}

function ServerActions({ name, setting, change }: ActionsProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <McpForm name={name} setting={setting} change={change} done={() => setOpen(false)} />
  return (
    <div className="settings-actions">
      <button type="button" className="button small" aria-label={`Change ${name}`} onClick={() => setOpen(true)}>
        Change
      </button>
      <button
        type="button"
        className="button small danger"
        aria-label={`Remove ${name}`}
        onClick={() => void change({ mcpServers: { [name]: null } })}
      >
        Remove
      </button>
    </div>
  )
}

function Server({ server: { name, from, state, error, does, tools } }: { readonly server: WireMcpServer }): ReactNode {
  return (
    <>
      <p className="settings-item-head">
        <strong>{name}</strong>
        <span className="mark-word" data-tone={tones[state]}>
          {words[state]}
        </span>
        <FileNote from={from} />
      </p>
      {does && (
        <p>
          <code className="inline-code">{does}</code>
        </p>
      )}
      {error && (
        <p className="trial" data-works="false">
          {error}
        </p>
      )}
      {tools.length > 0 && <p className="about">Tools: {tools.join(', ')}</p>}
    </>
  )
}
