import { join } from 'node:path'
import { createAgent } from 'turnbuckle'
import { claudeHooks } from 'turnbuckle/claude'
import { pii } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import {
  command,
  done,
  keep,
  play,
  read,
  root,
  say,
  seen,
  shell,
  specific,
  useClaudeProject,
  write,
} from '../../test/support/claude-project.ts'

useClaudeProject()

test('UserPromptSubmit blocks, and the prompt is not recorded', async () => {
  const line = say({ decision: 'block', reason: 'No secrets.' })
  const { result, chat, model } = await play({
    hooks: { UserPromptSubmit: [{ hooks: [command(line)] }] },
    script: [],
  })
  expect(result).toMatchObject({ status: 'stopped', reason: 'No secrets.' })
  expect(chat.messages).toEqual([])
  expect(model.prompts).toEqual([])
})

test.each([
  { event: 'UserPromptSubmit', line: 'echo It is Tuesday.' },
  { event: 'UserPromptSubmit', line: say(specific('UserPromptSubmit', { additionalContext: 'It is Tuesday.' })) },
  { event: 'SessionStart', line: 'echo It is Tuesday.' },
  { event: 'SessionStart', line: say(specific('SessionStart', { additionalContext: 'It is Tuesday.' })) },
])('$event: $line is context for the model', async ({ event, line }) => {
  const { lastPrompt, chat } = await play({ hooks: { [event]: [{ hooks: [command(line)] }] }, script: [done] })
  expect(lastPrompt).toContain('It is Tuesday.')
  expect(JSON.stringify(chat.messages)).not.toContain('It is Tuesday.')
})

test('UserPromptSubmit is given the prompt', async () => {
  await play({
    hooks: { UserPromptSubmit: [{ hooks: [command(keep('seen'))] }] },
    prompt: 'Mend it.',
    script: [done],
  })
  expect(seen('seen')[0]).toMatchObject({ hook_event_name: 'UserPromptSubmit', prompt: 'Mend it.' })
})

test('SessionStart comes once for a conversation, SessionEnd when the program closes', async () => {
  const hooks = {
    SessionStart: [
      { matcher: 'startup', hooks: [command(keep('seen'))] },
      { matcher: 'resume', hooks: [command(keep('resumed'))] },
    ],
    SessionEnd: [{ hooks: [command(keep('ended'))] }],
  }
  const { chat, claude } = await play({ hooks, script: [done, done] })
  await chat.send('Again.')
  expect(seen('seen')).toHaveLength(1)
  expect(seen('seen')[0]).toMatchObject({ source: 'startup', model: expect.any(String) })
  await claude.endSession('prompt_input_exit')
  expect(seen('ended')[0]).toMatchObject({ reason: 'prompt_input_exit', session_id: chat.id })
})

test('a conversation with a history is resumed', async () => {
  write('.claude/settings.json', { hooks: { SessionStart: [{ hooks: [command(keep('seen'))] }] } })
  const agent = createAgent({ model: scriptedModel([done]), use: [claudeHooks({ root, home: false })] })
  const messages = [
    { role: 'user' as const, content: 'Before.' },
    { role: 'assistant' as const, content: 'Yes.' },
  ]
  await agent.conversation({ messages }).send('Now.')
  expect(seen('seen')[0]?.source).toBe('resume')
})

test.each([
  { name: 'exit code 2', line: 'echo Run the tests. >&2; exit 2' },
  { name: 'a block', line: say({ decision: 'block', reason: 'Run the tests.' }) },
  { name: 'context', line: say(specific('Stop', { additionalContext: 'Run the tests.' })) },
])('Stop: $name is another step', async ({ line }) => {
  const once = `input=$(cat); printf '%s\\n' "$input" >> seen; case "$input" in *'"stop_hook_active":true'*) exit 0;; esac; ${line}`
  const { result, chat } = await play({
    hooks: { Stop: [{ hooks: [command(once)] }] },
    script: ['First.', 'Second.'],
  })
  expect(result.text).toBe('Second.')
  expect(JSON.stringify(chat.messages)).toContain('Run the tests.')
  expect(seen('seen').map(({ stop_hook_active, last_assistant_message: said }) => [stop_hook_active, said])).toEqual([
    [false, 'First.'],
    [true, 'Second.'],
  ])
})

test('Stop hooks keep a turn going eight times at most', async () => {
  const hooks = { Stop: [{ hooks: [command('echo More. >&2; exit 2')] }] }
  const { result, notices } = await play({ hooks, script: Array.from({ length: 12 }, (_, i) => `Reply ${i}.`) })
  expect(result).toMatchObject({ status: 'completed', text: 'Reply 8.' })
  expect(notices.join()).toContain('8 times')
})

test('Stop does not come while tools are called, nor for a turn that failed', async () => {
  const hooks = {
    Stop: [{ hooks: [command(keep('seen'))] }],
    StopFailure: [{ matcher: 'overloaded', hooks: [command(keep('failed'))] }],
  }
  const error = Object.assign(new Error('Overloaded.'), { status: 529 })
  await play({ hooks, script: [shell('true'), { error }] })
  expect(() => read('seen')).toThrow()
  expect(seen('failed')[0]).toMatchObject({ error: 'overloaded', last_assistant_message: 'API Error: Overloaded.' })
})

test('the transcript has the conversation in the form of Claude', async () => {
  const line = `cat > input; cp "$(sed 's/.*"transcript_path":"\\([^"]*\\)".*/\\1/' input)" transcript`
  await play({ hooks: { Stop: [{ hooks: [command(line)] }] }, script: [shell('true'), done] })
  expect(
    seen('transcript').map(({ type, message }) => [
      type,
      (message as { content: { type: string }[] }).content[0]?.type,
    ]),
  ).toEqual([
    ['user', 'text'],
    ['assistant', 'tool_use'],
    ['user', 'tool_result'],
    ['assistant', 'text'],
  ])
})

test('a notice of a hook goes through the redactors', async () => {
  const hooks = { UserPromptSubmit: [{ hooks: [command(say({ systemMessage: 'Ask ann@example.com.' }))] }] }
  write('.claude/settings.json', { hooks })
  const use = [claudeHooks({ root, home: join(root, 'home') }), pii()]
  const notices: string[] = []
  for await (const event of createAgent({ model: scriptedModel([done]), use }).send('Go.'))
    if (event.type === 'claude.notice') notices.push(event.text)
  expect(notices).toEqual(['Ask [email].'])
})
