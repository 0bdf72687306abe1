import { middleware, stop, tool } from 'turnbuckle'
import { expect, test } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import { runSlashCommand } from './run-slash-command.ts'

test('/hooks lists middleware with guards and what is not trusted, and switches by name', async () => {
  const use = [middleware({ name: 'plain' }), middleware({ name: 'strict', guard: true })]
  const { session } = chatSession({ use }, { untrusted: [{ entry: { use: './own.ts' } }] })
  await runSlashCommand(session, '/hooks disable plain')
  expect(lastText(session)).toBe('○ plain\n● strict (guard)\n⊘ ./own.ts (not trusted)')
  await runSlashCommand(session, '/hooks enable plain')
  expect(lastText(session)).toContain('● plain')
  await runSlashCommand(session, '/hooks disable nobody')
  expect(lastText(session)).toContain('No middleware "nobody"')
})

test('/tools has a line for each tool, however long its description', async () => {
  const description = `Looks\n${'around '.repeat(30)}`
  const { session } = chatSession({ tools: [tool({ name: 'look', description, run: () => 1 })] })
  await runSlashCommand(session, '/tools')
  expect(lastText(session)).toMatch(/^look {13}Looks around[^\n]*$/)
})

test('/mcp tells the state of each server, its tools, or what is wrong with it', async () => {
  const mcpServers = () => [
    { name: 'files', status: 'ready' },
    { name: 'empty', status: 'ready' },
    { name: 'web', status: 'failed', error: 'no such\nprogram' },
  ]
  const { session } = chatSession({ tools: [tool({ name: 'files__read', run: () => 1 })] }, { mcpServers })
  await runSlashCommand(session, '/mcp')
  expect(lastText(session)).toBe('● files: read\n● empty: no tools\n○ web: no such program')
  const { session: none } = chatSession({}, { mcpServers: () => [] })
  await runSlashCommand(none, '/mcp')
  expect(lastText(none)).toContain('There are no MCP servers.')
})

test('/permissions lists what was granted, and takes it back by its id', async () => {
  const grants = [{ id: 'grant_1', decision: 'allow', pattern: 'shell(git *)', scope: 'always' }]
  const permissions = {
    list: async () => grants,
    revoke: async (id: string) => grants.splice(0).some(one => one.id === id),
  }
  const { session } = chatSession({}, { permissions })
  await runSlashCommand(session, '/permissions')
  expect(lastText(session)).toBe('grant_1  allow shell(git *)  always')
  await runSlashCommand(session, '/permissions revoke grant_1')
  expect(lastText(session)).toBe('Revoked grant_1.')
  await runSlashCommand(session, '/permissions revoke grant_1')
  expect(lastText(session)).toBe('There is no permission "grant_1".')
  await runSlashCommand(session, '/permissions')
  expect(lastText(session)).toBe('Nothing is allowed or forbidden for longer.')
})

test('/explain tells who decided what, also of a turn of another process', async () => {
  const { session } = chatSession({ use: [middleware({ name: 'no', beforeModel: () => stop('not now') })] })
  await runSlashCommand(session, '/explain')
  expect(lastText(session)).toBe('There was no turn yet.')
  await session.conversation.send('Go')
  await runSlashCommand(session, '/explain')
  expect(lastText(session)).toMatch(/stop[\s\S]*no[\s\S]*not now/)
})

test('/vim switches the keys of the input on and off', async () => {
  const { session } = chatSession()
  await runSlashCommand(session, '/vim')
  expect(session.state.editor.vim).toEqual({ mode: 'insert' })
  await runSlashCommand(session, '/vim')
  expect(session.state.editor.vim).toBeUndefined()
})

test('/theme with a name that is none lists the themes', async () => {
  const { session } = chatSession()
  await runSlashCommand(session, '/theme pink')
  expect(lastText(session)).toMatch(/^There is no theme "pink": .*dark/)
})
