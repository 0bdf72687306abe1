import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createAgent, tool } from 'turnbuckle'
import { claudeAgents, claudeHooks, claudeSkills, readClaudeHooks } from 'turnbuckle/claude'
import { skills } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'

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
const lookTool = tool({ name: 'look', description: 'Looks.', readOnly: true, run: () => 'seen' })

/** A chat with a script, the project's hooks, skills and sub-agents. */
function chatOf(script: readonly Reply[]) {
  const model = scriptedModel([...script])
  const hooks = claudeHooks({ root, home: false })
  const agents = claudeAgents({ root, home: false, model, tools: [lookTool], use: [hooks] })
  const found = claudeSkills({ root, home: false })
  const use = found.length ? [hooks, skills(found)] : [hooks]
  const chat = createAgent({ model, tools: [lookTool, ...agents], use }).conversation()
  return { chat, hooks }
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
