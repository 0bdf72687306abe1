import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { listedMcpServers } from './listed-mcp-servers.ts'

test('a server has the state and the tools of its connection, and neither while it is not trusted', () => {
  const names = ['my_docs__search', 'other__search']
  const agent = createAgent({
    model: scriptedModel([]),
    tools: names.map(name => tool({ name, run: () => 'ok' })),
  })
  const item = { kind: 'mcp', name: 'mcp:other', hash: 'h', does: '' }
  const listed = listedMcpServers({
    agent,
    configuredServers: [
      { name: 'my docs', from: 'user', does: 'starts docs' },
      { name: 'other', from: 'project', does: 'starts other', item },
      { name: 'late', from: 'user', does: 'starts late' },
    ],
    loaded: { root: '/r', trust: { has: () => false } },
    mcpServers: () => [
      { name: 'my docs', status: 'ready' },
      { name: 'other', status: 'ready' },
      { name: 'late', status: 'failed', error: 'No.' },
    ],
  } as unknown as Parameters<typeof listedMcpServers>[0])
  expect(listed.map(({ name, state, trusted, tools, error }) => [name, state, trusted, tools, error])).toEqual([
    ['my docs', 'ready', true, ['my_docs__search'], undefined],
    ['other', 'untrusted', false, [], undefined],
    ['late', 'failed', true, [], 'No.'],
  ])
})
