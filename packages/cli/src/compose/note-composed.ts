import { printNote } from '../text/print.ts'
import type { ComposedAgent } from './compose-agent.ts'
import { missingServers, unreachedServers } from './connect-mcp-servers.ts'

/** Says on standard error what is missing of an agent, and which MCP servers are: now, and when one of them fails. */
export function noteComposed(
  composed: Pick<ComposedAgent, 'notices' | 'sandboxNotice' | 'mcpServers' | 'onMcpChange'>,
): void {
  const { notices, sandboxNotice, mcpServers, onMcpChange } = composed
  const missing = missingServers(mcpServers())
  const told = new Set(missing)
  for (const notice of [...notices, ...missing]) printNote(notice)
  sandboxNotice.onNotice(printNote)
  onMcpChange(() => {
    const news = unreachedServers(mcpServers()).filter(notice => !told.has(notice))
    for (const notice of news) {
      told.add(notice)
      printNote(notice)
    }
  })
}
