import { join } from 'node:path'
import { createAgent, type Event, middleware, tool } from 'turnbuckle'
import { claudeHooks } from 'turnbuckle/claude'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { workspaceTools } from 'turnbuckle/tools'
import { describe, expect, test } from 'vitest'
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
