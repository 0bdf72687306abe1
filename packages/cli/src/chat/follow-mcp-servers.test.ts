import { expect, test } from 'vitest'
import { chatSession, textsOf } from '../../test/chat-session.ts'
import { followMcpServers } from './follow-mcp-servers.ts'

test('awaited servers are in the status; one that cannot be reached is told of once', () => {
  let servers: readonly object[] = [{ name: 'docs', status: 'connecting' }]
  let changed = () => {}
  const onMcpChange = (listener: () => void) => {
    changed = listener
  }
  const { session } = chatSession({}, { mcpServers: () => servers, onMcpChange })
  followMcpServers(session)
  expect(session.state.awaited).toBe('connecting to docs')
  servers = [{ name: 'docs', status: 'failed', error: 'Nobody there.' }]
  changed()
  changed()
  expect(session.state.awaited).toBe('')
  expect(textsOf(session).filter(text => text.includes('Nobody there.'))).toHaveLength(1)
})
