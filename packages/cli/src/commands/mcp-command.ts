import { serveMcp } from 'turnbuckle/mcp'
import type { CommandFunction } from '../command-table.ts'
import { composeAgent } from '../compose/compose-agent.ts'
import { noteComposed } from '../compose/note-composed.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { signInToMcpServer, signOutOfMcpServer } from './mcp-sign-in.ts'

export const mcpCommand: CommandFunction = async ({ values, positionals: [word = 'serve', name] }) => {
  if (word === 'login') return signInToMcpServer(name, values.device === true)
  if (word === 'logout') return signOutOfMcpServer(name)
  const composed = await composeAgent(await loadSettings(), { model: 'offline' })
  const { agent, close } = composed
  // On standard error: standard output belongs to the protocol.
  noteComposed(composed)
  const allow = { decision: 'allow', scope: 'once' }
  const server = await serveMcp(agent, values.yes ? { answer: () => allow } : {})
  await new Promise<void>(resolve => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
    process.once('SIGHUP', () => resolve())
  })
  await server.close()
  await close()
  return 0
}
