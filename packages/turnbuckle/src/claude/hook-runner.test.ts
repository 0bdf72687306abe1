import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import {
  command,
  done,
  play,
  read,
  say,
  shell,
  specific,
  useClaudeProject,
  write,
} from '../../test/support/claude-project.ts'

useClaudeProject()

test('with `args` a program is started without a shell', async () => {
  write('a b/hook.sh', '#!/bin/sh\nprintf "%s" "$1" > "$CLAUDE_PROJECT_DIR/given"\n')
  const handler = command('/bin/sh', { args: [`$\{CLAUDE_PROJECT_DIR}/a b/hook.sh`, '$HOME `x`'] })
  await play({ hooks: { Stop: [{ hooks: [handler] }] }, script: [done] })
  expect(read('given')).toBe('$HOME `x`')
})

test('a background hook holds nothing up, and is told with the next model call', async () => {
  const late = `while [ ! -e go ]; do sleep 0.01; done; ${say(specific('PostToolUse', { additionalContext: 'Tests passed.' }))}`
  const hooks = { PostToolUse: [{ hooks: [command(late, { async: true }), command('true')] }] }
  const { model, chat } = await play({ hooks, script: [shell('true'), done, ...Array(200).fill('Next.')] })
  expect(JSON.stringify(model.prompts[1])).not.toContain('Tests passed.')
  write('go', '')
  await expect
    .poll(
      async () => {
        await chat.send('And?')
        return JSON.stringify(model.prompts.at(-1)?.messages)
      },
      { timeout: 20_000, interval: 100 },
    )
    .toContain('Tests passed.')
})

test('an address is posted to, and only JSON of a good answer counts', async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => {
      body += piece.toString()
    })
    request.on('end', () => {
      bodies.push(`${request.headers.authorization} ${(JSON.parse(body) as { tool_name: string }).tool_name}`)
      if (request.url === '/deny') response.end(JSON.stringify(specific('PreToolUse', { permissionDecision: 'deny' })))
      else response.writeHead(500).end(JSON.stringify(specific('PreToolUse', { permissionDecision: 'deny' })))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.env.CLAUDE_HOOKS_TEST = 'let me in'
  const headers = { authorization: 'Bearer $CLAUDE_HOOKS_TEST$HOME' }
  const hook = (path: string) => ({ type: 'http', url: url + path, headers, allowedEnvVars: ['CLAUDE_HOOKS_TEST'] })
  const first = await play({ hooks: { PreToolUse: [{ hooks: [hook('/deny')] }] }, script: [shell('true'), done] })
  const second = await play({ hooks: { PreToolUse: [{ hooks: [hook('/fail')] }] }, script: [shell('true'), done] })
  delete process.env.CLAUDE_HOOKS_TEST
  server.close()
  expect(first.results[0]?.status).toBe('blocked')
  expect(second.results[0]?.status).toBe('ok')
  expect(second.notices.join()).toContain('answered 500')
  expect(bodies).toEqual(['Bearer let me in Bash', 'Bearer let me in Bash'])
})

test.each([
  { name: 'ends the turn', more: {}, status: 'stopped' },
  { name: 'is told to the model where it says so', more: { continueOnBlock: true }, status: 'completed' },
])('a no of a prompt before a tool $name', async ({ more, status }) => {
  const judge = scriptedModel(['{"ok": false, "reason": "Too risky."}'])
  const hooks = { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'Is it safe? $ARGUMENTS', ...more }] }] }
  const { result } = await play({ hooks, options: { model: judge }, script: [shell('rm x'), done] })
  expect(result.status).toBe(status)
  expect(JSON.stringify(judge.prompts[0]?.messages)).toContain('rm x')
})

test('a prompt keeps a turn going, unless it says that this is impossible', async () => {
  const judge = scriptedModel([
    '{"ok": false, "reason": "Test it."}',
    '{"ok": false, "reason": "x", "impossible": true}',
  ])
  const hooks = { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }] }] }
  const { result } = await play({ hooks, options: { model: judge }, script: ['One.', 'Two.'] })
  expect(result).toMatchObject({ status: 'completed', text: 'Two.' })
})

test('hooks that are not as documented are named', async () => {
  const hooks = {
    Stop: [{ hooks: [{ type: 'agent' }, { type: 'mcp_tool', server: 's' }, { type: 'odd' }] }],
    SessionStart: [{ hooks: [{ type: 'http', url: 'http://x' }] }],
    Notification: [{ hooks: [{ type: 'prompt', prompt: 'x' }] }],
    PreToolUse: [
      {
        hooks: [
          { ...command('true'), timeout: '10s' },
          { ...command('true'), if: 5 },
        ],
      },
    ],
  }
  const { claude } = await play({ hooks, script: [done] })
  expect(claude.problems).toEqual([
    '.claude/settings.json: Stop: a hook of the type "agent" needs a text "prompt".',
    '.claude/settings.json: Stop: a hook of the type "mcp_tool" needs a text "tool".',
    '.claude/settings.json: Stop: there are no hooks of the type "odd".',
    '.claude/settings.json: SessionStart: hooks of the type "http" do not run at this event.',
    '.claude/settings.json: Notification: hooks of the type "prompt" do not run at this event.',
    '.claude/settings.json: PreToolUse: its "timeout" is no number of seconds above 0.',
    '.claude/settings.json: PreToolUse: its "if" is no text.',
  ])
})

test('a hook that may not run holds up the call it would have looked at', async () => {
  const handler = { event: 'PreToolUse', matcher: 'Bash', handler: { type: 'command' as const, command: 'exit 0' } }
  const source = {
    from: 'project' as const,
    file: 'x',
    handlers: [handler],
    problems: [],
    refused: () => 'it has changed',
  }
  const { results } = await play({ options: { sources: [source] }, script: [shell('true'), done] })
  expect(results[0]).toMatchObject({ status: 'blocked', value: expect.stringContaining('it has changed') })
})
