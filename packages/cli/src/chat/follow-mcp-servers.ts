import { awaitedServers, unreachedServers } from '../compose/connect-mcp-servers.ts'
import type { ChatSession } from './session/chat-session.ts'

/** Says which MCP servers are awaited, and which could not be reached. */
export function followMcpServers(session: ChatSession): void {
  const { composed } = session
  const told = new Set<string>()
  const look = () => {
    const awaited = awaitedServers(composed.mcpServers())
    session.set({ awaited: awaited.length ? `connecting to ${awaited.join(', ')}` : '' })
    for (const notice of unreachedServers(composed.mcpServers())) if (!told.has(notice)) session.say(notice, 'warn')
    for (const notice of unreachedServers(composed.mcpServers())) told.add(notice)
    session.refresh()
  }
  composed.onMcpChange(look)
  if (composed.mcpServers().length) look()
}
