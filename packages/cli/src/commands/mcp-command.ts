import { serveMcp } from 'turnbuckle/mcp'
import type { CommandFunction } from '../command-table.ts'
import { composeAgent } from '../compose/compose-agent.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { printNote } from '../text/print.ts'

export const mcpCommand: CommandFunction = async ({ values }) => {
  const { agent, notices, close } = await composeAgent(await loadSettings(), { model: 'offline' })
  // Standard output belongs to the protocol.
  for (const notice of notices) printNote(notice)
  const allow = { decision: 'allow', scope: 'once' }
  const server = await serveMcp(agent, values.yes ? { answer: () => allow } : {})
  await new Promise<void>(resolve => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  await server.close()
  await close()
  return 0
}
