import { type ReactNode, useEffect } from 'react'
import type { Client, WireMcpServer } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { TrustList } from './trust-list.tsx'
import { useLoaded } from './use-loaded.ts'

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

/** The MCP servers of the settings with their state; owners trust those of a project here. */
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
        Servers are named in the settings files, under <code className="inline-code">mcpServers</code>. A project’s run
        only after an owner has trusted that exact command or address.
      </p>
      {isOwner && <UntrustedServers reload={reload} />}
      {servers.length ? (
        <ul className="settings-list">
          {servers.map(server => (
            <li key={`${server.from} ${server.name}`} className="settings-item">
              <Server server={server} />
            </li>
          ))}
        </ul>
      ) : (
        <p>There are none.</p>
      )}
    </>
  )
}

function UntrustedServers({ reload }: { readonly reload: () => void }): ReactNode {
  const [items, look] = useLoaded(loadUntrusted)
  if (!items?.length) return null
  const again = () => {
    look()
    reload()
  }
  return <TrustList items={items} reload={again} />
}

function Server({ server: { name, from, state, error, does, tools } }: { readonly server: WireMcpServer }): ReactNode {
  return (
    <>
      <p className="settings-item-head">
        <strong>{name}</strong>
        <span className="mark-word" data-tone={tones[state]}>
          {words[state]}
        </span>
        <span className="about">{from === 'user' ? 'your file' : 'the project'}</span>
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
