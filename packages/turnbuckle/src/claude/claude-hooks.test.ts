import { readFileSync } from 'node:fs'
import { createAgent } from 'turnbuckle'
import { claudeAgents, claudeHooks } from 'turnbuckle/claude'
import { scriptedModel } from 'turnbuckle/testing'
import { workspaceTools } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import {
  command,
  done,
  keep,
  root,
  say,
  seen,
  shell,
  specific,
  useClaudeProject,
  write,
} from '../../test/support/claude-project.ts'

useClaudeProject()

test('SubagentStart adds context, SubagentStop keeps it going, tools carry its name', async () => {
  write('.claude/agents/reviewer.md', '---\nname: reviewer\ndescription: Reviews.\ntools: Bash\n---\nYou review.')
  write('.claude/settings.json', {
    hooks: {
      SubagentStart: [
        { matcher: 'reviewer', hooks: [command(say(specific('SubagentStart', { additionalContext: 'Be kind.' })))] },
      ],
      SubagentStop: [
        {
          matcher: '^reviewer$',
          hooks: [command('grep -q \'"stop_hook_active":true\' || { echo Look again. >&2; exit 2; }')],
        },
      ],
      PreToolUse: [{ matcher: 'Bash', hooks: [command(keep('seen'))] }],
      PostToolUse: [{ matcher: 'Agent', hooks: [command(keep('agents'))] }],
    },
  })
  const model = scriptedModel([
    { calls: [{ name: 'agent_reviewer', args: { task: 'Review it.' } }] },
    shell('true'),
    'Fine.',
    'Really fine.',
    done,
  ])
  const hooks = claudeHooks({ root, home: false })
  const tools = workspaceTools({ root, shell: true })
  const agents = claudeAgents({ root, home: false, model, tools, use: [hooks] })
  const { text } = await createAgent({ model, tools: [...tools, ...agents], use: [hooks] }).send('Go.')
  expect(text).toBe('Done.')
  expect(JSON.stringify(model.prompts[1]?.messages)).toContain('Be kind.')
  expect(model.prompts[1]?.tools.map(({ name }) => name)).toEqual(['shell'])
  expect(JSON.stringify(model.prompts[3]?.messages)).toContain('Look again.')
  expect(seen('seen')[0]).toMatchObject({ agent_type: 'reviewer', agent_id: expect.any(String) })
  expect(seen('agents')[0]).toMatchObject({
    tool_input: { prompt: 'Review it.', subagent_type: 'reviewer' },
    tool_response: { status: 'completed', content: [{ type: 'text', text: 'Really fine.' }] },
  })
})

test('SubagentStop finds what the sub-agent said, beside the transcript of its caller', async () => {
  write('.claude/agents/reviewer.md', '---\nname: reviewer\ndescription: Reviews.\n---\nYou review.')
  write('.claude/settings.json', {
    hooks: { SubagentStop: [{ hooks: [command(keep('stopped'))] }] },
  })
  const calls = [{ name: 'agent_reviewer', args: { task: 'Review it.' } }]
  const model = scriptedModel([{ calls }, 'Fine.', done])
  const hooks = claudeHooks({ root, home: false })
  const agents = claudeAgents({ root, home: false, model, tools: [], use: [hooks] })
  await createAgent({ model, tools: agents, use: [hooks] }).send('Go.')
  const [{ transcript_path: callers, agent_transcript_path: own }] = seen('stopped') as [Record<string, string>]
  expect(own).not.toBe(callers)
  expect(readFileSync(String(own), 'utf8')).toMatch(/Review it\..*Fine\./s)
})
