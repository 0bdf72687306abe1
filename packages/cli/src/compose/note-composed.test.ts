import type { Mcp } from 'turnbuckle/mcp'
import { expect, test, vi } from 'vitest'
import { noteComposed } from './note-composed.ts'

test('says who is missing at the start, and who fails later, each once', () => {
  let text = ''
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(data => {
    text += String(data)
    return true
  })
  let servers: Mcp['servers'] = [
    { name: 'slow', status: 'connecting' },
    { name: 'gone', status: 'failed', error: 'no' },
    { name: 'here', status: 'ready' },
  ]
  let change = () => {}
  noteComposed({
    notices: ['A notice.'],
    sandboxNotice: 'No sandbox.',
    mcpServers: () => servers,
    onMcpChange: listener => {
      change = listener
    },
  })
  servers = servers.map(server => (server.name === 'slow' ? { ...server, status: 'failed', error: 'late' } : server))
  change()
  change()
  spy.mockRestore()
  expect(text.trimEnd().split('\n')).toEqual([
    'A notice.',
    'No sandbox.',
    'The MCP server "slow" is not connected yet: its tools come when it is.',
    'The MCP server "gone" could not be reached: no',
    'The MCP server "slow" could not be reached: late',
  ])
})
