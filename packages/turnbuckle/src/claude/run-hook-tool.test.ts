import { createAgent, tool } from 'turnbuckle'
import { type CallMcpTool, claudeHooks } from 'turnbuckle/claude'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { HookHandler } from './hook-handler.ts'

const scan = { type: 'mcp_tool', server: 'guard', tool: 'scan' } as const
/** A member of the event, as a hook's text names it. */
const member = (path: string) => `$\{${path}}`
const save = tool<{ path: string }>({ name: 'save', description: 'Saves.', run: () => 'saved' })

async function play(event: string, handler: HookHandler, callMcpTool?: CallMcpTool) {
  const source = {
    from: 'project' as const,
    file: 'x',
    handlers: [{ event, matcher: undefined, handler }],
    problems: [],
  }
  const model = scriptedModel([{ calls: [{ name: 'save', args: { path: 'a.txt', more: { deep: 1 } } }] }, 'Done.'])
  const hooks = claudeHooks({ home: false, sources: [source], ...(callMcpTool ? { callMcpTool } : {}) })
  const turn = createAgent({ model, tools: [save], use: [hooks] }).send('Go.')
  const notices: unknown[] = []
  for await (const event of turn) if (event.type === 'claude.notice') notices.push(event.text)
  const { messages } = await turn
  const results = messages.flatMap(({ content }) => content.filter(part => part.type === 'result'))
  return { results, notices: notices.join('\n'), prompt: JSON.stringify(model.prompts.at(-1)?.messages) }
}

test('texts of `input` are filled in from the event, at any depth, and the caller is told whose the hook is', async () => {
  const seen: unknown[] = []
  const input = {
    path: member('tool_input.path'),
    list: [`${member('hook_event_name')}: ${member('tool_input.more')}`, member('nowhere.at.all')],
    count: 3,
  }
  await play('PreToolUse', { ...scan, input }, async (server, name, args, { from }) => {
    seen.push([from, server, name, args])
    return ''
  })
  expect(seen).toEqual([
    ['project', 'guard', 'scan', { path: 'a.txt', list: ['PreToolUse: {"deep":1}', ''], count: 3 }],
  ])
})

const deny = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'A leak.' },
}

test.each([
  { name: 'JSON in its text decides', said: JSON.stringify(deny), status: 'blocked' },
  { name: 'any other text decides nothing', said: 'All is well.', status: 'ok' },
])('$name', async ({ said, status }) => {
  const { results } = await play('PreToolUse', scan, async () => said)
  expect(results[0]?.status).toBe(status)
})

test('its plain text at a prompt is for the model', async () => {
  const { prompt } = await play('UserPromptSubmit', scan, async () => 'Ticket 7 is open.')
  expect(prompt).toContain('Ticket 7 is open.')
})

test.each([
  { name: 'a tool that fails', call: async () => Promise.reject(new Error('No such rule.')), says: 'No such rule.' },
  { name: 'a server that is not connected', call: undefined, says: 'The MCP server "guard" is not connected.' },
])('$name blocks nothing, and the person is told', async ({ call, says }) => {
  const { results, notices } = await play('PreToolUse', scan, call)
  expect(results[0]?.status).toBe('ok')
  expect(notices).toContain(says)
})

const strange = '10s' as unknown as number

test.each([
  { name: 'a tool with a timeout that is none', handler: { ...scan, timeout: strange } },
  {
    name: 'an address with a timeout that is none',
    handler: { type: 'http', url: 'http://127.0.0.1:9', timeout: strange },
  },
  { name: 'a command with arguments that are no list', handler: { type: 'command', command: 'x', args: 'y' } },
])('$name fails alone: the call goes on, and the person is told', async ({ handler }) => {
  const { results, notices } = await play('PreToolUse', handler as unknown as HookHandler, async () => '')
  expect(results[0]?.status).toBe('ok')
  expect(notices).toContain('PreToolUse hook [Project]')
})

test.each([0.0005, 1e9])('a timeout of %d seconds is one', async timeout => {
  const { notices } = await play('PreToolUse', { ...scan, timeout }, async (_server, _tool, _args, { signal }) =>
    String(signal.aborted),
  )
  expect(notices).toBe('')
})
