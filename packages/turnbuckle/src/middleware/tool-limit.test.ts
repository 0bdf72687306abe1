import { createAgent, middleware, tool } from 'turnbuckle'
import { type ToolLimitOptions, toolLimit } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const tools = ['a', 'b', 'constructor'].map(name => tool({ name, run: () => name }))
const calls = (names: string) => ({
  calls: Array.from(names, (name, n) => ({ name: name === 'c' ? 'constructor' : name, args: { n } })),
})

async function run(limit: number | ToolLimitOptions, batches: readonly string[], turns = 1) {
  const script = [...batches.map(calls), 'done']
  const chat = createAgent({
    model: scriptedModel(script, { repeat: true }),
    tools,
    use: [toolLimit(limit)],
  }).conversation()
  const results = []
  for (let i = 0; i < turns; i++) results.push(await chat.send('go'))
  const statuses = chat.messages
    .flatMap(message => message.content)
    .map(part => (part.type === 'result' ? part.status : ''))
  return {
    result: results.at(-1),
    ran: statuses
      .filter(Boolean)
      .map(status => (status === 'ok' ? '+' : '-'))
      .join(''),
  }
}

describe('toolLimit', () => {
  test.each<{ title: string; limit: number | ToolLimitOptions; batches: string[]; ran: string; turns?: number }>([
    { title: 'in all, over steps', limit: 3, batches: ['a', 'b', 'a', 'b'], ran: '+++-' },
    { title: 'in all, inside a batch', limit: 3, batches: ['abab'], ran: '+++-' },
    { title: 'one tool', limit: { tools: { a: 1 } }, batches: ['aab', 'ab'], ran: '+-+-+' },
    { title: 'one tool and all', limit: { max: 3, tools: { a: 1 } }, batches: ['aabbb'], ran: '+-++-' },
    {
      title: 'a tool named like a member of every object',
      limit: { tools: { constructor: 1 } },
      batches: ['cca'],
      ran: '+-+',
    },
    { title: 'each turn anew', limit: 1, batches: ['ab'], ran: '+-+-', turns: 2 },
    { title: 'a conversation', limit: { max: 3, scope: 'conversation' }, batches: ['ab'], ran: '+++-', turns: 2 },
  ])('$title', async ({ limit, batches, ran, turns = 1 }) => {
    const out = await run(limit, batches, turns)
    expect([out.ran, out.result?.status]).toEqual([ran, 'completed'])
  })

  test('can end the turn', async () => {
    const { result, ran } = await run({ max: 2, atLimit: 'stop' }, ['ab', 'ab'])
    expect([ran, result?.status, result?.reason]).toEqual(['++--', 'stopped', '2 tool calls'])
  })

  test('a call that a wrap changes on its way is one call', async () => {
    const rewriting = middleware({
      name: 'rewriting',
      wrapTool: async (ctx, next) => {
        await next({ ...ctx.call, args: { first: true } })
        return next({ ...ctx.call, args: { second: true } })
      },
    })
    const model = scriptedModel([calls('ab'), 'done'])
    const { messages } = await createAgent({ model, tools, use: [rewriting, toolLimit(2)] }).send('go')
    const results = messages.flatMap(({ content }) => content).filter(part => part.type === 'result')
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok'])
  })
})
