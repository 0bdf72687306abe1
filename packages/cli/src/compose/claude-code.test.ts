import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Agent, Event } from 'turnbuckle'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadSettings } from '../settings/load-settings.ts'
import type { AskTrust, TrustItem } from '../settings/trust-file.ts'
import { composeAgent } from './compose-agent.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-claude-'))
  vi.stubEnv('CLAUDE_CONFIG_DIR', join(folder, 'claude'))
  put('project/turnbuckle.config.json', { claudeHooks: true, store: 'memory:', permissions: {} })
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

function put(path: string, content: unknown): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o755 })
}

const hooks = (event: string, command: string) => ({ hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } })

async function compose(ask?: AskTrust) {
  const env = { TURNBUCKLE_HOME: join(folder, 'home') }
  const loaded = await loadSettings({ cwd: join(folder, 'project'), env })
  return composeAgent(loaded, { model: 'offline', ...(ask ? { ask } : {}) })
}

const trustAll: AskTrust = async () => true

/** Sends a text and says yes to every question. */
async function send(agent: Agent, text: string) {
  const turn = agent.send(text)
  const events: Event[] = []
  for await (const event of turn) {
    events.push(event)
    if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'allow', scope: 'once' })
  }
  return { events, messages: JSON.stringify((await turn.settled).messages) }
}

test("a project's hooks run only when they are trusted, with the scripts they call", async () => {
  put('project/.claude/settings.json', hooks('PreToolUse', '.claude/hooks/no.sh'))
  put('project/.claude/hooks/no.sh', '#!/bin/sh\necho "Not today." >&2\nexit 2\n')
  const untrusted = await compose()
  expect(untrusted.notices.join()).toContain('Not trusted, so not used: .claude/settings.json')
  expect((await send(untrusted.agent, 'run echo hi')).messages).toContain('hi')
  await untrusted.close()

  const asked: TrustItem[] = []
  const trusted = await compose(async items => Boolean(asked.push(...items)))
  expect(asked).toMatchObject([{ kind: 'hook', does: 'hooks of Claude Code; runs .claude/hooks/no.sh' }])
  expect(asked[0]?.text).toContain('Not today.')
  expect((await send(trusted.agent, 'run echo hi')).messages).toContain('Not today.')

  // Changed while it runs, it does not run, and neither does the call.
  put('project/.claude/hooks/no.sh', '#!/bin/sh\ntouch ran\n')
  const { messages } = await send(trusted.agent, 'run echo hi')
  expect(messages).toContain('has changed since it was trusted')
  expect(existsSync(join(folder, 'project/ran'))).toBe(false)
  await trusted.close()
})

test('what a trusted script loads without saying the end of its name is compared too', async () => {
  put('project/.claude/settings.json', hooks('PreToolUse', 'node tools/check.js'))
  put('project/tools/check.js', "require('./rules')\nrequire('./' + 'more')")
  put('project/tools/rules.js', '1')
  const asked: TrustItem[] = []
  const { agent, close } = await compose(async items => Boolean(asked.push(...items)))
  expect(asked[0]?.does).toBe(
    'hooks of Claude Code; runs tools/check.js, tools/rules.js; files whose names are computed are covered only beside the script, of tools/check.js',
  )
  put('project/tools/rules.js', "require('node:fs').writeFileSync('ran', '')")
  expect((await send(agent, 'run echo hi')).messages).toContain('has changed since it was trusted')
  expect(existsSync(join(folder, 'project/ran'))).toBe(false)
  await close()
})

test("the user's own hooks need no trust, and their allow counts", async () => {
  const allow = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'
  put('claude/settings.json', hooks('PreToolUse', `echo '${allow}'`))
  const { agent, close, notices } = await compose()
  expect(notices).toEqual([])
  const turn = agent.send('run echo hi')
  const answered: unknown[] = []
  for await (const event of turn) if (event.type === 'request.answered') answered.push(event.by)
  expect(answered).toEqual(['your hooks'])
  expect(JSON.stringify((await turn.settled).messages)).toContain('hi')
  await close()
})

test("a project's hook calls a tool of a server in .mcp.json", async () => {
  const server = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
  put('project/.mcp.json', { mcpServers: { all: { command: process.execPath, args: [server, 'stdio'] } } })
  const handler = { type: 'mcp_tool', server: 'all', tool: 'echo', input: { message: `Seen: $\{prompt}` } }
  put('project/.claude/settings.json', { hooks: { UserPromptSubmit: [{ hooks: [handler] }] } })
  const { agent, mcpServers, onMcpChange, close } = await compose(trustAll)
  if (mcpServers()[0]?.status !== 'ready') await new Promise<void>(onMcpChange)
  let prompt = ''
  const { middleware } = await import('turnbuckle')
  agent.use(
    middleware({
      name: 'looks',
      priority: 900,
      beforeModel(ctx) {
        prompt = JSON.stringify(ctx.prompt.messages)
      },
    }),
  )
  await send(agent, 'hello')
  expect(prompt).toContain('Echo: Seen: hello')
  await close()
})

test('SessionEnd comes when the program closes', async () => {
  put('claude/settings.json', hooks('SessionEnd', 'cat > ended'))
  const { agent, close } = await compose()
  await send(agent, 'hello')
  await close()
  expect(JSON.parse(readFileSync(join(folder, 'project/ended'), 'utf8'))).toMatchObject({ reason: 'other' })
})

test('sub-agents, skills, CLAUDE.md and .mcp.json count', async () => {
  put('project/.claude/agents/reviewer.md', '---\nname: reviewer\ndescription: Reviews\n---\nReview.')
  put('project/.claude/skills/release/SKILL.md', '---\ndescription: How to release\n---\nTag it.')
  put('project/AGENTS.md', 'Be brief.')
  put('project/CLAUDE.md', '@AGENTS.md\nBe kind.')
  put('project/.mcp.json', { mcpServers: { db: { command: 'db-server' }, web: { url: `http://x/$\{NOT_SET_HERE}` } } })
  const { agent, configuredServers, notices, close } = await compose()
  expect(agent.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['agent_reviewer', 'skill']))
  expect(configuredServers).toMatchObject([{ name: 'db', from: 'project', item: { kind: 'mcp', name: 'mcp:db' } }])
  expect(notices.join('\n')).toMatch(/mcp:db[\s\S]*"web" is left out: .*NOT_SET_HERE/)
  let instructions = ''
  const { middleware } = await import('turnbuckle')
  const looks = middleware({
    name: 'looks',
    priority: 900,
    beforeModel(ctx) {
      instructions = ctx.prompt.instructions ?? ''
    },
  })
  agent.use(looks)
  await send(agent, 'hello')
  expect(instructions.match(/Be brief\./g)).toHaveLength(1)
  expect(instructions).toContain('Be kind.')
  expect(instructions).toContain('- release: How to release')
  await close()
})

test('without the setting nothing of it counts', async () => {
  put('project/turnbuckle.config.json', { store: 'memory:' })
  put('project/.claude/settings.json', hooks('PreToolUse', 'exit 2'))
  put('project/.mcp.json', { mcpServers: { db: { command: 'db-server' } } })
  const { agent, configuredServers, notices, close } = await compose(trustAll)
  expect([configuredServers, notices]).toEqual([[], []])
  expect(agent.middleware.map(({ name }) => name)).not.toContain('claude-hooks')
  await close()
})

test('whoever is asked to trust a head sees all members of its hooks, `__proto__` among them', async () => {
  const asked: TrustItem[] = []
  const ask: AskTrust = async items => asked.push(...items) < 0
  const head = (more: string) =>
    `---\nname: care\ndescription: x\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: /bin/sh\n${more}---\nText.`
  put('project/.claude/skills/care/SKILL.md', head(''))
  await (await compose(ask)).close()
  put('project/.claude/skills/care/SKILL.md', head('          __proto__:\n            args: [-c, evil]\n'))
  await (await compose(ask)).close()
  const [plain, hidden] = asked
  expect(hidden?.text).toContain('evil')
  expect(hidden?.hash).not.toBe(plain?.hash)
})
