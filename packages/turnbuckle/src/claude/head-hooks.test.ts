import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createAgent, type Middleware, middleware, tool } from 'turnbuckle'
import { claudeAgents, claudeHooks, claudeSkills, readClaudeHooks } from 'turnbuckle/claude'
import { approval, skills } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'head-hooks-'))
  write('seen', '')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const seen = () => readFileSync(join(root, 'seen'), 'utf8').trim().split('\n').filter(Boolean)

/** A head with one hook that writes a word into `seen`. */
const head = (more: string, event: string, word: string, once = '') => `---
${more}
description: x
hooks:
  ${event}:
    - hooks:
        - type: command
          command: "echo ${word} >> seen"${once}
---
Text.`
const once = '\n          once: true'

type Reply = Parameters<typeof scriptedModel>[0][number]
const look: Reply = { calls: [{ name: 'look', args: {} }] }
const change: Reply = { calls: [{ name: 'change', args: {} }] }
const askTool = tool({ name: 'change', description: 'Changes.', run: () => 'changed' })
const lookTool = tool({ name: 'look', description: 'Looks.', readOnly: true, run: () => 'seen' })

/** A chat with a script, the project's hooks, skills and sub-agents. */
function chatOf(script: readonly Reply[], more: { store?: ReturnType<typeof memoryStore>; use?: Middleware[] } = {}) {
  const { store = memoryStore(), use: own = [] } = more
  const model = scriptedModel([...script])
  const hooks = claudeHooks({ root, home: false })
  const agents = claudeAgents({ root, home: false, model, tools: [lookTool, askTool], use: [hooks, ...own], store })
  const found = claudeSkills({ root, home: false })
  const asks = approval({
    tools: ['change'],
    answers: async (question, about) => (await hooks.answers(question, about)) ?? 'allow',
  })
  const use = [hooks, ...(found.length ? [skills(found)] : []), asks, ...own]
  const agent = createAgent({ model, tools: [lookTool, askTool, ...agents], use, store })
  return { agent, chat: agent.conversation('c'), hooks }
}

test('hooks of a sub-agent run while it works, and Stop is its SubagentStop', async () => {
  write('.claude/agents/reviewer.md', head('name: reviewer', 'PreToolUse', 'reviewing'))
  write('.claude/agents/tester.md', head('name: tester', 'Stop', 'tested'))
  const { chat } = chatOf([
    look,
    { calls: [{ name: 'agent_reviewer', args: { task: 'Review.' } }] },
    look,
    'Reviewed.',
    { calls: [{ name: 'agent_tester', args: { task: 'Test.' } }] },
    look,
    'Tested.',
    'Done.',
  ])
  expect(await chat.send('Go.')).toMatchObject({ text: 'Done.' })
  expect(seen()).toEqual(['reviewing', 'tested'])
  expect(readClaudeHooks({ root, home: false })).toMatchObject([
    { from: 'project', file: '.claude/agents/reviewer.md', of: { kind: 'agent', name: 'reviewer' } },
    { file: '.claude/agents/tester.md', handlers: [{ event: 'SubagentStop' }] },
  ])
})

test('hooks of a skill run from its activation on, in later turns and in sub-agents too', async () => {
  write('.claude/skills/care/SKILL.md', head('name: care', 'PreToolUse', 'careful'))
  write('.claude/agents/reviewer.md', '---\nname: reviewer\ndescription: Reviews.\n---\nYou review.')
  const { chat } = chatOf([
    look,
    { calls: [{ name: 'skill', args: { name: 'care' } }] },
    look,
    'Done.',
    { calls: [{ name: 'agent_reviewer', args: { task: 'Review.' } }] },
    look,
    'Reviewed.',
    'Done.',
  ])
  await chat.send('Go.')
  expect(seen()).toEqual(['careful'])
  await chat.send('Go on.')
  // The call of the sub-agent, and the sub-agent's own.
  expect(seen()).toEqual(['careful', 'careful', 'careful'])
})

test('a hook with `once` runs until it has gone well', async () => {
  const text = head('name: care', 'PostToolUse', 'tried', once).replace(
    '>> seen"',
    '>> seen; test $(wc -l < seen) -gt 1"',
  )
  write('.claude/skills/care/SKILL.md', text.replace('    - hooks', '    - matcher: look\n      hooks'))
  const activate = { calls: [{ name: 'skill', args: { name: 'care' } }] }
  const { chat } = chatOf([activate, look, look, look, 'Done.'])
  await chat.send('Go.')
  expect(seen()).toEqual(['tried', 'tried'])
})

test('`once` means nothing in a sub-agent', async () => {
  write('.claude/agents/reviewer.md', head('name: reviewer', 'PreToolUse', 'reviewing', once))
  const { chat } = chatOf([{ calls: [{ name: 'agent_reviewer', args: { task: 'x' } }] }, look, look, 'Ok.', 'Done.'])
  await chat.send('Go.')
  expect(seen()).toEqual(['reviewing', 'reviewing'])
})

const care: Reply = { calls: [{ name: 'skill', args: { name: 'care' } }] }
const review: Reply = { calls: [{ name: 'agent_reviewer', args: { task: 'Review.' } }] }
const reviewer = '---\nname: reviewer\ndescription: Reviews.\n---\nYou review.'

test.each([
  { name: 'PreToolUse', by: look },
  { name: 'PermissionRequest', by: change },
])('a hook of $name with `once` runs once in a conversation and its sub-agents', async ({ name, by }) => {
  write('.claude/skills/care/SKILL.md', head('name: care', name, 'careful', once))
  write('.claude/agents/reviewer.md', reviewer)
  const { chat } = chatOf([care, 'Ok.', review, by, by, 'Reviewed.', by, by, 'Done.'])
  await chat.send('Take care.')
  expect(await chat.send('Go.')).toMatchObject({ text: 'Done.' })
  expect(seen()).toEqual(['careful'])
})

test('a hook of Notification with `once` has had its run when it has ended', async () => {
  write('.claude/skills/care/SKILL.md', head('name: care', 'Notification', 'notified', once))
  let spent: () => number | undefined = () => 0
  const waits = middleware({
    name: 'waits',
    // Nobody else waits for hooks of Notification.
    async beforeModel(ctx) {
      spent = () => (ctx.stateOf(hooks[0] as Middleware) as { spent?: string[] }).spent?.length
      if (ctx.step === 2) await vi.waitUntil(spent)
    },
  })
  const { chat, hooks } = chatOf([care, change, change, change, 'Done.'], { use: [waits] })
  await chat.send('Go.')
  await hooks.endSession()
  expect([seen(), spent()]).toEqual([['notified'], 1])
})

/** Ends the process's work before the model is asked, in the reviewer or in the turn above it. */
const parksIn = (who: string | undefined) =>
  middleware({
    name: 'parks',
    beforeModel(ctx) {
      const isThere = who === undefined ? ctx.turn.steps > 1 : ctx.agent.name === who
      if (!isThere) return
      ;(ctx.turn.parent ?? ctx.turn).park()
      return new Promise<undefined>(() => {})
    },
  })

test.each([
  { where: 'in a sub-agent', who: 'reviewer', first: [care, review], by: look, event: 'PreToolUse' },
  { where: 'where a sub-agent asks', who: 'reviewer', first: [care, review], by: change, event: 'PermissionRequest' },
  { where: 'where the turn itself asks', who: undefined, first: [care], by: change, event: 'PermissionRequest' },
])('hooks of a skill are not gone after a restart: $where', async ({ who, first, by, event }) => {
  write(
    '.claude/skills/care/SKILL.md',
    head('name: care', event, 'careful').replace('    - hooks', `    - matcher: look|change\n      hooks`),
  )
  write('.claude/agents/reviewer.md', reviewer)
  const store = memoryStore()
  await chatOf(first, { store, use: [parksIn(who)] }).chat.send('Go.').settled
  expect(seen()).toEqual([])
  const { agent } = chatOf([by, 'Reviewed.', 'Done.'], { store })
  await agent.resume('c')
  expect(seen()).toEqual(['careful'])
})

test('hooks of a sub-agent that asks are not gone after a restart', async () => {
  write('.claude/agents/reviewer.md', head('name: reviewer', 'PermissionRequest', 'reviewing'))
  const store = memoryStore()
  await chatOf([review], { store, use: [parksIn('reviewer')] }).chat.send('Go.').settled
  const { agent } = chatOf([change, 'Reviewed.', 'Done.'], { store })
  await agent.resume('c')
  expect(seen()).toEqual(['reviewing'])
})

test('hooks of a command run from the turn that it is said in', async () => {
  write('.claude/commands/git/fix.md', head('argument-hint: x', 'UserPromptSubmit', 'fixing'))
  write(
    '.claude/settings.json',
    JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'echo start >> seen' }] }] } }),
  )
  const { chat, hooks } = chatOf(['One.', 'Two.', 'Three.'])
  hooks.sayCommand('another conversation', 'git:fix')
  await chat.send('Hello.')
  hooks.sayCommand(chat.id, 'git:fix')
  await chat.send('Fix it.')
  await chat.send('And more.')
  expect(seen()).toEqual(['start', 'fixing', 'fixing'])
})

test('a head whose hooks are not as documented is named, and a project that switches hooks off has none', () => {
  write('.claude/skills/odd/SKILL.md', '---\nname: odd\ndescription: x\nhooks:\n  Stop: soon\n---\nText.')
  expect(readClaudeHooks({ root, home: false })).toMatchObject([
    { problems: ['.claude/skills/odd/SKILL.md: "Stop" is not a list.'] },
  ])
  write('.claude/settings.json', '{ "disableAllHooks": true }')
  expect(readClaudeHooks({ root, home: false })).toEqual([])
})
