import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createAgent, type Event, middleware, type Tool, tool } from 'turnbuckle'
import { type ClaudeHooksOptions, claudeAgents, claudeHooks } from 'turnbuckle/claude'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { workspaceTools } from 'turnbuckle/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'claude-hooks-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (path: string, content: unknown): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
}
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const seen = (name: string): Record<string, unknown>[] =>
  read(name)
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)

type Reply = Parameters<typeof scriptedModel>[0][number]
type Groups = Readonly<Record<string, readonly unknown[]>>

const command = (line: string, more: object = {}) => ({ type: 'command', command: line, ...more })
/** Keeps what the hook was given in a file, a line each time. */
const keep = (file: string) => `cat >> ${file}; echo >> ${file}`
const say = (json: object) => `echo '${JSON.stringify(json)}'`
const specific = (hookEventName: string, fields: object) => ({ hookSpecificOutput: { hookEventName, ...fields } })

interface Played {
  readonly hooks?: Groups
  readonly user?: Groups
  readonly script: readonly Reply[]
  readonly tools?: readonly Tool[]
  readonly options?: Partial<ClaudeHooksOptions>
  readonly asks?: boolean
  readonly prompt?: string
}

/** Plays a script in a project with these hooks. */
async function play({ hooks, user, script, tools, options, asks, prompt = 'Go.' }: Played) {
  if (hooks) write('.claude/settings.json', { hooks })
  if (user) write('home/settings.json', { hooks: user })
  const model = scriptedModel([...script])
  const claude = claudeHooks({ root, home: join(root, 'home'), ...options })
  const questions: string[] = []
  const agent = createAgent({
    model,
    tools: [...(tools ?? workspaceTools({ root, shell: true }))],
    use: [
      claude,
      ...(asks
        ? [
            approval({
              answers: async (question, about) => {
                const given = await claude.answers(question, about)
                if (!given) questions.push(question.name)
                return given ?? 'deny'
              },
            }),
          ]
        : []),
    ],
  })
  const chat = agent.conversation()
  const turn = chat.send(prompt)
  const events: Event[] = []
  for await (const event of turn) events.push(event)
  const result = await turn.settled
  const notices = events.flatMap(event => (event.type === 'claude.notice' ? [event.text] : []))
  const results = chat.messages.flatMap(({ content }) => content.filter(part => part.type === 'result'))
  const lastPrompt = JSON.stringify(model.prompts.at(-1)?.messages ?? [])
  return { model, claude, agent, chat, result, events, notices, results, questions, lastPrompt }
}

const shell = (line: string): Reply => ({ calls: [{ name: 'shell', args: { command: line } }] })
const done: Reply = 'Done.'

describe('PreToolUse', () => {
  test('hears of a call under the names of Claude, with absolute paths', async () => {
    write('a.txt', 'one\ntwo\n')
    const calls = [
      { name: 'shell', args: { command: 'true' } },
      { name: 'read_file', args: { path: 'a.txt', from: 1, lines: 1 } },
      { name: 'edit_file', args: { path: 'a.txt', old: 'one', new: '1', all: true } },
      { name: 'write_file', args: { path: 'b.txt', content: 'b' } },
      { name: 'list_files', args: { pattern: '*.txt' } },
      { name: 'search_files', args: { pattern: 'ONE', ignoreCase: true } },
    ]
    const hooks = { PreToolUse: [{ hooks: [command(keep('seen'))] }] }
    const { chat } = await play({ hooks, script: [{ calls }, done] })
    expect(seen('seen').map(({ tool_name, tool_input }) => [tool_name, tool_input])).toEqual([
      ['Bash', { command: 'true' }],
      ['Read', { file_path: join(root, 'a.txt'), offset: 1, limit: 1 }],
      ['Edit', { file_path: join(root, 'a.txt'), old_string: 'one', new_string: '1', replace_all: true }],
      ['Write', { file_path: join(root, 'b.txt'), content: 'b' }],
      ['Glob', { pattern: '*.txt' }],
      ['Grep', { pattern: 'ONE', '-i': true }],
    ])
    expect(seen('seen')[0]).toMatchObject({
      session_id: chat.id,
      hook_event_name: 'PreToolUse',
      cwd: root,
      permission_mode: 'default',
      tool_use_id: expect.any(String),
      transcript_path: expect.stringMatching(/\.jsonl$/),
      prompt_id: expect.any(String),
    })
  })

  const deny = specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'Not here.' })
  test.each([
    { name: 'exit code 2 blocks with its error output', line: 'echo Not here. >&2; exit 2', ran: false },
    { name: 'JSON denies', line: say(deny), ran: false },
    { name: 'JSON denies with any exit code', line: `${say(deny)}; exit 1`, ran: false },
    { name: 'the old words deny too', line: say({ decision: 'block', reason: 'Not here.' }), ran: false },
    {
      name: 'exit code 2 counts more than an allow',
      line: `${say(specific('PreToolUse', { permissionDecision: 'allow' }))}; echo Not here. >&2; exit 2`,
      ran: false,
    },
    { name: 'exit code 1 does not block', line: 'echo no >&2; exit 1', ran: true },
    { name: 'a script that is not there does not block', line: './missing.sh', ran: true },
    { name: 'silence is no decision', line: 'exit 0', ran: true },
    { name: 'plain text is no decision', line: 'echo deny', ran: true },
    {
      name: 'JSON that is not as documented does not block',
      line: say(specific('PreToolUse', { permissionDecision: 'no' })),
      ran: true,
    },
    {
      name: 'JSON of another event does not block',
      line: say(specific('Stop', { permissionDecision: 'deny' })),
      ran: true,
    },
  ])('$name', async ({ line, ran }) => {
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [command(line)] }] }
    const { results, result } = await play({ hooks, script: [shell('echo yes > ran'), done] })
    expect(result.status).toBe('completed')
    expect(results.map(({ status }) => status)).toEqual([ran ? 'ok' : 'blocked'])
    if (!ran) expect(JSON.stringify(results)).toContain('Not here.')
  })

  test.each([
    { name: 'a failure blocks where the hook says so', line: 'exit 1', more: { onFailure: 'block' }, ran: false },
    { name: 'a hook that takes too long does not block', line: 'sleep 60', more: { timeout: 0.05 }, ran: true },
    {
      name: 'a hook that takes too long blocks where it says so',
      line: 'sleep 60',
      more: { timeout: 0.05, onFailure: 'block' },
      ran: false,
    },
    { name: 'a rule of `if` that fits', line: 'exit 2', more: { if: 'Bash(echo *)' }, ran: false },
    { name: 'a rule of `if` that does not fit', line: 'exit 2', more: { if: 'Bash(git *)' }, ran: true },
  ])('$name', async ({ line, more, ran }) => {
    const hooks = { PreToolUse: [{ hooks: [command(line, more)] }] }
    const { results, notices } = await play({ hooks, script: [shell('echo yes'), done] })
    expect(results[0]?.status).toBe(ran ? 'ok' : 'blocked')
    if (line === 'sleep 60' && ran) expect(notices.join()).toContain('took too long')
  })

  test('hooks run side by side, and a no of one is enough', async () => {
    // Each waits for the other: one after the other they would never end.
    const meet = (own: string, other: string) => `touch ${own}; while [ ! -e ${other} ]; do sleep 0.01; done`
    const hooks = {
      PreToolUse: [
        { matcher: 'Bash', hooks: [command(meet('one', 'two'))] },
        { matcher: 'Bash|Edit', hooks: [command(`${meet('two', 'one')}; exit 2`)] },
      ],
    }
    const { results } = await play({ hooks, script: [shell('true'), done] })
    expect(results[0]?.status).toBe('blocked')
  })

  test('`updatedInput` is what guards look at and what runs', async () => {
    const updated = { command: 'echo changed', timeout: 5000 }
    const hooks = { PreToolUse: [{ hooks: [command(say(specific('PreToolUse', { updatedInput: updated })))] }] }
    write('.claude/settings.json', { hooks })
    const guarded: unknown[] = []
    const guard = middleware({ name: 'looks', guard: true, beforeTool: ctx => void guarded.push(ctx.call.args) })
    const agent = createAgent({
      model: scriptedModel([shell('echo first'), done]),
      tools: workspaceTools({ root, shell: true }),
      use: [guard, claudeHooks({ root, home: false })],
    })
    const { messages } = await agent.send('Go.')
    expect(guarded).toEqual([updated])
    expect(JSON.stringify(messages)).toContain('changed\\n')
  })

  test('`updatedInput` with an absolute path inside the project is a path of ours', async () => {
    const updated = { file_path: join(root, 'b.txt'), content: 'other' }
    const hooks = { PreToolUse: [{ hooks: [command(say(specific('PreToolUse', { updatedInput: updated })))] }] }
    await play({ hooks, script: [{ calls: [{ name: 'write_file', args: { path: 'a.txt', content: 'x' } }] }, done] })
    expect(read('b.txt')).toBe('other')
  })

  test('`additionalContext` stands behind the result, once, and in later turns too', async () => {
    const line = say(specific('PreToolUse', { additionalContext: 'It is production.' }))
    const hooks = { PreToolUse: [{ hooks: [command(line)] }] }
    const { model, chat } = await play({ hooks, script: [shell('true'), done, 'Still.'] })
    await chat.send('And?')
    for (const { messages } of model.prompts.slice(1)) {
      const at = messages.findIndex(({ content }) => JSON.stringify(content).includes('It is production.'))
      expect(messages[at - 1]?.role).toBe('tool')
      expect(JSON.stringify(messages).match(/It is production\./g)).toHaveLength(1)
    }
    expect(JSON.stringify(chat.messages)).not.toContain('It is production.')
  })

  test('`continue: false` ends the turn', async () => {
    const hooks = { PreToolUse: [{ hooks: [command(say({ continue: false, stopReason: 'The build is red.' }))] }] }
    const { result } = await play({ hooks, script: [shell('true'), done] })
    expect(result).toMatchObject({ status: 'stopped', reason: 'The build is red.' })
  })

  test('`systemMessage` is for the person', async () => {
    const hooks = { PreToolUse: [{ hooks: [command(say({ systemMessage: 'Careful.' }))] }] }
    expect((await play({ hooks, script: [shell('true'), done] })).notices).toEqual(['Careful.'])
  })

  test('the same hook in two settings files runs once', async () => {
    const hooks = { PreToolUse: [{ hooks: [command(keep('seen'))] }] }
    write('.claude/settings.local.json', { hooks })
    await play({ hooks, script: [shell('true'), done] })
    expect(seen('seen')).toHaveLength(1)
  })

  test('a call of an unknown tool is no news', async () => {
    const hooks = { PreToolUse: [{ hooks: [command('exit 2')] }] }
    const { results } = await play({ hooks, script: [{ calls: [{ name: 'nothing', args: {} }] }, done] })
    expect(results[0]?.status).toBe('error')
  })
})

describe('permissions', () => {
  const allow = { PreToolUse: [{ hooks: [command(say(specific('PreToolUse', { permissionDecision: 'allow' })))] }] }
  const ask = { PreToolUse: [{ hooks: [command(say(specific('PreToolUse', { permissionDecision: 'ask' })))] }] }

  test("a project's allow grants nothing", async () => {
    const { results, questions } = await play({ hooks: allow, asks: true, script: [shell('true'), done] })
    expect(questions).toEqual(['shell'])
    expect(results[0]?.status).toBe('denied')
  })

  test("the user's allow answers the question", async () => {
    const { results, questions } = await play({ user: allow, asks: true, script: [shell('true'), done] })
    expect(questions).toEqual([])
    expect(results[0]?.status).toBe('ok')
  })

  test("the user's allow is for the input that the user's hook has seen", async () => {
    const other = specific('PreToolUse', { updatedInput: { command: 'rm x' } })
    const hooks = { PreToolUse: [{ hooks: [command(say(other))] }] }
    const { questions } = await play({ user: allow, hooks, asks: true, script: [shell('true'), done] })
    expect(questions).toEqual(['shell'])
  })

  test('an ask of a hook asks a person where nobody else does', async () => {
    const model = scriptedModel([shell('true'), done])
    write('.claude/settings.json', { hooks: ask })
    const agent = createAgent({
      model,
      tools: workspaceTools({ root, shell: true }),
      use: [claudeHooks({ root, home: false })],
    })
    const turn = agent.send('Go.')
    for await (const event of turn)
      if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'deny', reason: 'No.' })
    const { messages } = await turn
    expect(messages.flatMap(({ content }) => content).find(part => part.type === 'result')).toMatchObject({
      status: 'denied',
    })
  })

  test('an ask of a hook is no second question', async () => {
    write('.claude/settings.json', { hooks: ask })
    const agent = createAgent({
      model: scriptedModel([shell('true'), done]),
      tools: workspaceTools({ root, shell: true }),
      use: [claudeHooks({ root, home: false }), approval({ answers: () => 'allow' })],
    })
    const turn = agent.send('Go.')
    const opened: Event[] = []
    for await (const event of turn) if (event.type === 'request.opened') opened.push(event)
    expect(opened).toHaveLength(1)
    expect((await turn).status).toBe('completed')
  })

  const decide = (decision: object) => ({
    PermissionRequest: [{ matcher: 'Bash', hooks: [command(say(specific('PermissionRequest', { decision })))] }],
  })

  test.each([
    { name: "the user's PermissionRequest allows", user: decide({ behavior: 'allow' }), status: 'ok' },
    { name: "a project's PermissionRequest does not allow", hooks: decide({ behavior: 'allow' }), status: 'denied' },
    {
      name: "a project's PermissionRequest denies",
      hooks: decide({ behavior: 'deny', message: 'Use npm.' }),
      user: decide({ behavior: 'allow' }),
      status: 'denied',
      says: 'Use npm.',
    },
    {
      name: 'PermissionRequest changes the input',
      user: decide({ behavior: 'allow', updatedInput: { command: 'echo other' } }),
      status: 'ok',
      says: 'other',
    },
  ])('$name', async ({ hooks, user, status, says = '' }) => {
    const set = { ...(hooks ? { hooks } : {}), ...(user ? { user } : {}) }
    const { results } = await play({ ...set, asks: true, script: [shell('echo one'), done] })
    expect(results[0]?.status).toBe(status)
    expect(JSON.stringify(results)).toContain(says)
  })

  test('a rule that asks is a person’s to answer', async () => {
    write('home/settings.json', { hooks: allow })
    const claude = claudeHooks({ root, home: join(root, 'home') })
    const asked: boolean[] = []
    const agent = createAgent({
      model: scriptedModel([shell('true'), done]),
      tools: workspaceTools({ root, shell: true }),
      use: [
        claude,
        approval({
          ask: ['shell(true)'],
          async answers(question, about) {
            const given = await claude.answers(question, about)
            asked.push(given === undefined)
            return given ?? 'deny'
          },
        }),
      ],
    })
    await agent.send('Go.')
    expect(asked).toEqual([true])
  })

  test('Notification hears of a question', async () => {
    const hooks = { Notification: [{ matcher: 'permission_prompt', hooks: [command(`${keep('seen')}; touch told`)] }] }
    await play({ hooks, asks: true, script: [shell('true'), done] })
    await expect
      .poll(() => seen('seen')[0], { timeout: 20_000 })
      .toMatchObject({
        notification_type: 'permission_prompt',
        message: 'Turnbuckle needs your permission to use Bash',
      })
  })
})

describe('after a tool', () => {
  test('PostToolUse sees the response in the form of Claude', async () => {
    const hooks = { PostToolUse: [{ hooks: [command(keep('seen'))] }] }
    await play({ hooks, script: [shell('echo hi'), done] })
    expect(seen('seen')[0]).toMatchObject({
      tool_name: 'Bash',
      tool_response: { stdout: 'hi\n', stderr: '', interrupted: false, isImage: false },
    })
  })

  test.each([
    { name: 'exit code 2', line: 'echo Lint failed. >&2; exit 2' },
    { name: 'a block', line: say({ decision: 'block', reason: 'Lint failed.' }) },
    { name: 'context', line: say(specific('PostToolUse', { additionalContext: 'Lint failed.' })) },
  ])('PostToolUse: $name is told to the model beside the result', async ({ line }) => {
    const hooks = { PostToolUse: [{ matcher: 'Write|Edit', hooks: [command(line)] }] }
    const script = [{ calls: [{ name: 'write_file', args: { path: 'a', content: 'a' } }] }, done]
    const { lastPrompt, results, result } = await play({ hooks, script })
    expect(result.status).toBe('completed')
    expect(results[0]?.status).toBe('ok')
    expect(lastPrompt).toContain('Lint failed.')
  })

  test.each([
    { name: 'replaces the result', output: { stdout: '[redacted]', stderr: '' }, value: '[redacted]' },
    { name: 'is left out where its form is another', output: { text: 'x' }, value: 'secret\n' },
  ])('`updatedToolOutput` $name', async ({ output, value }) => {
    const line = say(specific('PostToolUse', { updatedToolOutput: output }))
    const { results } = await play({
      hooks: { PostToolUse: [{ hooks: [command(line)] }] },
      script: [shell('echo secret'), done],
    })
    expect(results[0]?.value).toBe(value)
  })

  test('a command that fails is PostToolUseFailure, and no PostToolUse', async () => {
    const hooks = {
      PostToolUse: [{ hooks: [command(keep('well'))] }],
      PostToolUseFailure: [{ matcher: 'Bash', hooks: [command(`${keep('seen')}; echo Try npm. >&2; exit 2`)] }],
    }
    const { lastPrompt } = await play({ hooks, script: [shell('echo broken; exit 3'), done] })
    expect(seen('seen')[0]).toMatchObject({ error: expect.stringMatching(/^Exit code 3\nbroken/), is_interrupt: false })
    expect(lastPrompt).toContain('Try npm.')
    expect(() => read('well')).toThrow()
  })

  test('a tool that throws is PostToolUseFailure; one that was refused is neither', async () => {
    const broken = tool({ name: 'broken', run: () => Promise.reject(new Error('Out of paper.')) })
    const hooks = {
      PreToolUse: [{ matcher: 'refused', hooks: [command('exit 2')] }],
      PostToolUseFailure: [{ hooks: [command(keep('seen'))] }],
    }
    const refused = tool({ name: 'refused', run: () => 'ran' })
    const calls = [
      { name: 'broken', args: {} },
      { name: 'refused', args: {} },
    ]
    await play({ hooks, tools: [broken, refused], script: [{ calls }, done] })
    expect(seen('seen').map(({ tool_name, error }) => [tool_name, error])).toEqual([['broken', 'Out of paper.']])
  })

  test('PostToolBatch hears of the batch once, and may end the turn', async () => {
    const line = `${keep('seen')}; ${say({ decision: 'block', reason: 'Enough.' })}`
    const calls = [
      { name: 'shell', args: { command: 'echo 1' } },
      { name: 'shell', args: { command: 'echo 2' } },
    ]
    const { result } = await play({ hooks: { PostToolBatch: [{ hooks: [command(line)] }] }, script: [{ calls }, done] })
    expect(seen('seen')).toHaveLength(1)
    expect(seen('seen')[0]?.tool_calls).toMatchObject([
      { tool_name: 'Bash', tool_response: '1\n' },
      { tool_name: 'Bash' },
    ])
    expect(result).toMatchObject({ status: 'stopped', reason: 'Enough.' })
  })
})

describe('a turn', () => {
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
})

describe('sub-agents', () => {
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
})

describe('handlers', () => {
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
        if (request.url === '/deny')
          response.end(JSON.stringify(specific('PreToolUse', { permissionDecision: 'deny' })))
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
})
