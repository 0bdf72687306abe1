import { createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

type Ctx = Record<string, unknown>
const kept = { list: [1] }

test.each<[string, string, (ctx: Ctx) => unknown, RegExp]>([
  ['the calls', 'beforeTools', ctx => (ctx.calls as unknown[]).push(1), /assign ctx\.calls = …/],
  [
    'a call',
    'beforeTools',
    ctx => Object.assign((ctx.calls as object[])[0] as object, { name: 'x' }),
    /assign ctx\.calls = …/,
  ],
  [
    'the arguments',
    'beforeTool',
    ctx => Object.assign((ctx.call as { args: object }).args, { n: 2 }),
    /assign ctx\.call = …/,
  ],
  ['a result', 'afterTool', ctx => Object.assign(ctx.result as object, { value: 2 }), /return replace\(…\)/],
  [
    'a part of it',
    'afterTool',
    ctx => (ctx.result as { value: { list: unknown[] } }).value.list.push(2),
    /return replace\(…\)/,
  ],
  ['the results', 'afterTools', ctx => (ctx.results as unknown[]).pop(), /return replace\(…\)/],
  ['the calls that were found', 'afterDetect', ctx => (ctx.result as unknown[]).pop(), /return replace\(…\)/],
  ['the state', 'beforeStep', ctx => Object.assign(ctx.state as object, { round: 1 }), /ctx\.update\(state => …\)/],
])(
  'changing %s in place is refused in %s, and the error names the call that changes it',
  async (_what, at, act, fix) => {
    const changes = middleware({
      name: 'changes',
      state: { round: 0 },
      onFailure: 'closed',
      [at]: (ctx: Ctx) => void act(ctx),
    })
    const model = scriptedModel([{ calls: [{ name: 'look', args: { n: 1 } }] }, 'Done'])
    const turn = createAgent({ model, tools: [tool({ name: 'look', run: () => kept })], use: [changes] }).send('Go')
    const failures: string[] = []
    for await (const event of turn) if (event.type === 'hook.failed') failures.push(event.error)
    expect(failures[0]).toMatch(fix)
    // The tool's own object is not frozen: it may keep what it returned.
    expect(Object.isFrozen(kept)).toBe(false)
  },
)

test('a tool may change the arguments that hooks have seen', async () => {
  const looks = middleware({ name: 'looks', beforeTool: ({ call }) => void call.args })
  const takes = tool({ name: 'takes', run: args => Object.assign(args, { more: 1 }) })
  const model = scriptedModel([{ calls: [{ name: 'takes', args: { n: 1 } }] }, 'Done'])
  const { messages } = await createAgent({ model, tools: [takes], use: [looks] }).send('Go')
  expect(messages[2]?.content[0]).toMatchObject({ status: 'ok', value: { n: 1, more: 1 } })
})

test.each([
  {
    what: 'a reply',
    at: 'afterModel',
    args: (ctx: Ctx) => (ctx.reply as { content: [{ args?: object }] }).content[0].args,
  },
  { what: 'calls', at: 'beforeTools', args: (ctx: Ctx) => (ctx.calls as [{ args: object }])[0].args },
])('the arguments of $what cannot be changed in place once a hook has looked at the reply', async ({ at, args }) => {
  const looks = middleware({ name: 'looks', afterModel: ({ reply }) => void reply })
  const changes = middleware({ name: 'changes', [at]: (ctx: Ctx) => void Object.assign(args(ctx) ?? {}, { n: 2 }) })
  const model = scriptedModel([{ calls: [{ name: 'look', args: { n: 1 } }] }, 'Done'])
  const chat = createAgent({
    model,
    tools: [tool({ name: 'look', run: () => 1 })],
    use: [looks, changes],
  }).conversation()
  const failures: string[] = []
  for await (const event of chat.send('Go')) if (event.type === 'hook.failed') failures.push(event.error)
  expect(failures).toEqual([expect.stringContaining('Values of ctx are frozen')])
  expect(chat.messages[1]?.content[0]).toMatchObject({ args: { n: 1 } })
})

test('a tool may change its arguments after it has looked at the path', async () => {
  const takes = tool({ name: 'takes', run: (args, { path }) => Object.assign(args, { more: path.length }) })
  const model = scriptedModel([{ calls: [{ name: 'takes', args: { n: 1 } }] }, 'Done'])
  const { messages } = await createAgent({ model, tools: [takes] }).send('Go')
  expect(messages[2]?.content[0]).toMatchObject({ status: 'ok', value: { n: 1, more: 2 } })
  expect(messages[1]?.content[0]).toMatchObject({ args: { n: 1 } })
})
