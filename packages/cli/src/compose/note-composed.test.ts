import type { Mcp } from 'turnbuckle/mcp'
import { expect, test, vi } from 'vitest'
import { noteComposed } from './note-composed.ts'
import { SandboxNotice } from './sandbox-notice.ts'

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
  const sandboxNotice = new SandboxNotice({ home: '/home/ann', user: {}, project: {} })
  noteComposed({
    notices: ['A notice.'],
    sandboxNotice,
    mcpServers: () => servers,
    onMcpChange: listener => {
      change = listener
    },
  })
  servers = servers.map(server => (server.name === 'slow' ? { ...server, status: 'failed', error: 'late' } : server))
  change()
  change()
  sandboxNotice.say('a test')
  sandboxNotice.say('a test')
  spy.mockRestore()
  expect(text.trimEnd().split('\n')).toEqual([
    'A notice.',
    'The MCP server "slow" is not connected yet: its tools come when it is.',
    'The MCP server "gone" could not be reached: no',
    'The MCP server "slow" could not be reached: late',
    'There is no sandbox for shell commands (a test): one that is allowed can do what you can.',
  ])
})
