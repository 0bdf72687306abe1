import type { WireMcpServer } from 'turnbuckle/client'
import type { ComposedAgent } from '../compose/compose-agent.ts'

type Listed = Pick<ComposedAgent, 'agent' | 'configuredServers' | 'loaded' | 'mcpServers'>

/** The MCP servers of the settings, with the state of each. A project's that is used stands in for the user's of its name. */
export function listedMcpServers({ agent, configuredServers, loaded, mcpServers }: Listed): readonly WireMcpServer[] {
  const states = new Map(mcpServers().map(server => [server.name, server]))
  return configuredServers.map(({ name, from, does, item }) => {
    const trusted = !item || loaded.trust.has(loaded.root, item)
    const { status, error } = (trusted ? states.get(name) : undefined) ?? {}
    const prefix = `${name}__`.replace(/[^\w-]/g, '_')
    return {
      name,
      from,
      state: trusted ? (status ?? 'closed') : 'untrusted',
      trusted,
      ...(error === undefined ? {} : { error }),
      does,
      tools: trusted ? agent.tools.map(tool => tool.name).filter(tool => tool.startsWith(prefix)) : [],
    }
  })
}
