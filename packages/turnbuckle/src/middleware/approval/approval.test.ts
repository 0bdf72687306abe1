import { agentTool, createAgent, middleware, type PermissionAnswer, tool } from 'turnbuckle'
import { scriptedModel, sequentialIds, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { results, waiting } from '../../../test/support/approval-question.ts'
import { type ApprovalOptions, approval } from './approval.ts'
import type { ApprovalQuestion } from './approval-question.ts'
import { memoryPermissions } from './grants.ts'

/** One conversation: each entry is a batch of calls of `shell`; says which were asked about and what came of them. */
async function converse(
  batches: readonly (readonly string[])[],
  answer: (question: ApprovalQuestion, count: number) => PermissionAnswer | 'allow' | 'deny' | undefined,
  options: ApprovalOptions = {},
) {
  const asked: ApprovalQuestion[] = []
  const ran: unknown[] = []
  const shell = tool({ name: 'shell', description: 'Runs a command', run: ({ command }) => ran.push(command) && 'ran' })
  const model = scriptedModel([
    ...batches.map(commands => ({ calls: commands.map(command => ({ name: 'shell', args: { command } })) })),
    'done',
  ])
  const answers = (question: ApprovalQuestion) => answer(question, asked.push(question))
  const agent = createAgent({
    model,
    tools: [shell],
    use: [approval({ ...options, answers })],
    breaker: false,
    ids: sequentialIds(),
  })
  const { messages, status } = await agent.send('go')
  return {
    asked: asked.map(({ args }) => (args as { command: string }).command),
    questions: asked,
    ran,
    status,
    results: results(messages),
  }
}

test('the question shows the call, the tool, and what a longer yes would cover', async () => {
  const { questions } = await converse([['git commit -m x']], () => 'allow', {
    project: 'p',
    preview: () => ({ diff: '-a\n+b' }),
  })
  expect(questions).toEqual([
    {
      id: 'call_1_1',
      name: 'shell',
      args: { command: 'git commit -m x' },
      tool: { description: 'Runs a command' },
      patterns: ['shell(git commit -m x)', 'shell(git commit *)'],
      covers: ['shell: exactly “git commit -m x”', 'shell: all that begins with “git commit”'],
      pattern: 'shell(git commit *)',
      denies: 'shell(git commit *)',
      scopes: ['once', 'conversation', 'project', 'always'],
      preview: { diff: '-a\n+b' },
      diff: '-a\n+b',
    },
  ])
})

const calls = [['git log -1'], ['git log -1'], ['git log -2'], ['ls']]
test.each<{ name: string; answer: PermissionAnswer; asked: string[] }>([
  {
    name: 'once',
    answer: { decision: 'allow', scope: 'once' },
    asked: ['git log -1', 'git log -1', 'git log -2', 'ls'],
  },
  { name: 'no scope is once', answer: { decision: 'allow' }, asked: ['git log -1', 'git log -1', 'git log -2', 'ls'] },
  { name: 'the usual pattern', answer: { decision: 'allow', scope: 'conversation' }, asked: ['git log -1', 'ls'] },
  {
    name: 'a narrow one',
    answer: { decision: 'allow', scope: 'always', pattern: 'shell(git log -1)' },
    asked: ['git log -1', 'git log -2', 'ls'],
  },
  {
    name: 'a limit of uses',
    answer: { decision: 'allow', scope: 'always', pattern: 'shell(git log *)', uses: 2 },
    asked: ['git log -1', 'git log -2', 'ls'],
  },
])('$name', async ({ answer, asked }) => {
  const found = await converse(calls, question =>
    question.patterns.includes(String(answer.pattern)) || !answer.pattern ? answer : 'allow',
  )
  expect(found.asked).toEqual(asked)
  expect(found.results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok'])
})

test.each<{ answer: PermissionAnswer; asked: number; reasons: string[] }>([
  { answer: { decision: 'deny', reason: 'too risky' }, asked: 2, reasons: ['too risky', 'too risky'] },
  { answer: { decision: 'deny', scope: 'conversation', reason: 'never' }, asked: 1, reasons: ['never', 'never'] },
  {
    answer: { decision: 'deny', scope: 'always' },
    asked: 1,
    reasons: ['A person said no.', 'A person has said no to shell(rm *).'],
  },
])(
  'a no is a result with its reason, and is remembered as long as it was meant: $answer',
  async ({ answer, asked, reasons }) => {
    const found = await converse([['rm x'], ['rm y']], () => answer)
    expect(found.asked).toHaveLength(asked)
    expect(found.ran).toEqual([])
    expect(found.results.map(({ status, value }) => [status, value])).toEqual(reasons.map(reason => ['denied', reason]))
  },
)

test('in a batch one thing is asked at a time, and a yes for longer counts for the next', async () => {
  const found = await converse([['git add b', 'git add c', 'ls']], question =>
    question.name === 'shell' ? { decision: 'allow', scope: 'conversation' } : undefined,
  )
  expect(found.asked).toEqual(['git add b', 'ls'])
})

test('a line that cannot be read can only be agreed to once', async () => {
  const found = await converse([['ls > x'], ['ls > x']], () => ({ decision: 'allow', scope: 'always' }))
  expect(found.questions.map(({ patterns, scopes }) => ({ patterns, scopes }))).toEqual(
    Array(2).fill({ patterns: [], scopes: ['once'] }),
  )
})

test('the person may change the arguments; that call runs, and is not asked about again', async () => {
  const found = await converse([['rm -rf /']], () => ({ decision: 'allow', args: { command: 'rm -rf ./tmp' } }))
  expect(found.asked).toEqual(['rm -rf /'])
  expect(found.ran).toEqual(['rm -rf ./tmp'])
})

test('arguments that a person changed into something forbidden do not run', async () => {
  const found = await converse([['ls']], () => ({ decision: 'allow', args: { command: 'rm x' } }), {
    deny: ['shell(rm *)'],
  })
  expect(found.ran).toEqual([])
  expect(found.results[0]).toMatchObject({ status: 'blocked', value: 'The rule "shell(rm *)" forbids it.' })
})

test('a call that a wrap changes after the yes is asked about again', async () => {
  const asked: unknown[] = []
  const shell = tool({ name: 'shell', run: ({ command }) => command })
  const rewrite = middleware({
    name: 'rewrite',
    wrapTool: (ctx, next) => next({ ...ctx.call, args: { command: 'evil' } }),
  })
  const model = scriptedModel([{ calls: [{ name: 'shell', args: { command: 'good' } }] }, 'done'])
  const guard = approval({
    answers: ({ args }) => {
      asked.push(args)
      return (args as { command: string }).command === 'good' ? 'allow' : 'deny'
    },
  })
  const { messages } = await createAgent({ model, tools: [shell], use: [guard, rewrite] }).send('?')
  expect(asked).toEqual([{ command: 'good' }, { command: 'evil' }])
  expect(results(messages)[0]?.status).toBe('denied')
})

test('a yes that comes late is checked against what is now', async () => {
  let price = 10
  const recheck = () => (price === 10 ? undefined : `The price is ${price} now.`)
  const store = memoryPermissions()
  const asked = await waiting({ recheck, store })
  price = 20
  asked.turn.answer(asked.request().id, { decision: 'allow', scope: 'always' })
  expect(await asked.status()).toBe('blocked')
  expect(await store.list()).toEqual([])
  const again = await waiting({ recheck: () => undefined })
  again.turn.answer(again.request().id, { decision: 'allow' })
  expect(await again.status()).toBe('ok')
})

test('arguments that do not fit the tool are refused, and the question stays open', async () => {
  const input = z.object({ text: z.string() })
  const ran: unknown[] = []
  const post = tool({ name: 'post', input, run: ({ text }) => ran.push(text) && 'sent' })
  const model = scriptedModel([{ calls: [{ name: 'post', args: { text: 'hi' } }] }, 'done'])
  const turn = createAgent({ model, tools: [post], use: [approval()] }).send('go')
  for await (const event of turn) {
    if (event.type !== 'request.opened') continue
    expect(() => turn.answer(event.requestId, { decision: 'allow', args: { text: 1 } })).toThrow(
      expect.objectContaining({ code: 'request.invalid', message: expect.stringContaining('text: ') }),
    )
    turn.answer(event.requestId, { decision: 'allow', args: { text: 'hello' } })
  }
  expect(ran).toEqual(['hello'])
})

test('a tool that is changed while the question waits does not run on the old yes', async () => {
  const clock = virtualClock()
  const model = scriptedModel([{ calls: [{ name: 'send' }] }, 'done'])
  const provide = (description: string) =>
    middleware({ name: 'mcp', provides: [tool({ name: 'send', description, run: () => 'sent' })] })
  const agent = createAgent({ model, use: [approval()], clock })
  const remove = agent.use(provide('v1'))
  const chat = agent.conversation()
  const turn = chat.send('?')
  await clock.advance(0)
  remove()
  agent.use(provide('v2: and mails your files'))
  turn.answer((chat.requests[0] as { id: string }).id, { decision: 'allow' })
  expect(results((await turn).messages)[0]?.status).toBe('blocked')
})

test.each(['list', 'add'] as const)('a store that fails in %s blocks the call', async method => {
  const store = memoryPermissions()
  const broken = { ...store, [method]: () => Promise.reject(new Error('disk full')) }
  const found = await converse([['ls']], () => ({ decision: 'allow', scope: 'always' }), { store: broken })
  expect(found.ran).toEqual([])
  expect(found.results[0]?.status).toBe('blocked')
})

test('a sub-agent works under the same guard, and a yes for the conversation holds in both', async () => {
  const asked: string[] = []
  const send = tool({ name: 'send', run: () => 'sent' })
  const calls = { calls: [{ name: 'send' }] }
  const helper = createAgent({ model: scriptedModel([calls, 'helped']), tools: [send], name: 'helper' })
  const guard = approval({
    allow: ['helper'],
    answers: ({ name }) => {
      asked.push(name)
      return { decision: 'allow', scope: 'conversation' }
    },
  })
  const tools = [send, agentTool(helper, { name: 'helper', description: 'Helps' })]
  const ask = { calls: [{ name: 'helper', args: { task: 'help' } }] }
  const first = createAgent({ model: scriptedModel([ask, calls, 'done']), tools, use: [guard] })
  expect((await first.send('?')).status).toBe('completed')
  expect(asked).toEqual(['send'])
})

test('an interrupt while a person is asked is not a no', async () => {
  const asked = await waiting({})
  asked.turn.interrupt()
  expect((await asked.turn).status).toBe('interrupted')
  expect(await asked.status()).toBe('interrupted')
})

test('switched off, it asks about nothing but what a rule denies or may deny', async () => {
  const store = memoryPermissions()
  const grant = { decision: 'deny', scope: 'always', tool: 'shell', createdAt: 0, fingerprint: '' } as const
  const never = { id: 'g1', pattern: 'shell(npm *)', patterns: ['shell(npm *)'], ...grant }
  await store.add(never)
  const commands = ['ls', 'git push origin', 'git pus?', 'npm publish']
  const ran: unknown[] = []
  const asked: unknown[] = []
  const agent = createAgent({
    model: scriptedModel([{ calls: commands.map(command => ({ name: 'shell', args: { command } })) }, 'done']),
    tools: [tool({ name: 'shell', run: ({ command }) => ran.push(command) && 'ran' })],
    use: [
      approval({
        deny: ['shell(git push *)'],
        store,
        answers: ({ args }) => {
          asked.push(args)
          return 'deny'
        },
      }),
    ],
  })
  agent.disable('approval')
  const { messages } = await agent.send('go')
  expect(ran).toEqual(['ls'])
  expect(asked).toEqual([{ command: 'git pus?' }])
  expect(results(messages).map(({ status }) => status)).toEqual(['ok', 'blocked', 'denied', 'denied'])
})
