import { block, createAgent, middleware, type Part, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const results = (messages: readonly { readonly content: readonly Part[] }[]) =>
  messages.flatMap(({ content }) =>
    content.flatMap(part => (part.type === 'result' ? [[part.status, part.value]] : [])),
  )

test('an interrupt at the third question leaves a refusal a refusal, and says of the others that they did not run', async () => {
  const ran: string[] = []
  const run = tool({ name: 'act', run: (args: { readonly n: number }) => void ran.push(String(args.n)) })
  const calls = [1, 2, 3].map(n => ({ name: 'act', args: { n } }))
  const asking = middleware({
    name: 'asking',
    guard: true,
    async beforeTool(ctx) {
      const { n } = ctx.call.args as { n: number }
      if (n === 2) return block('not that one')
      if (n === 3) {
        ctx.turn.interrupt('enough')
        await new Promise(() => {})
      }
    },
  })
  const turn = createAgent({ model: scriptedModel([{ calls }]), tools: [run], use: [asking] }).send('Go.')
  const { status, messages } = await turn.settled
  expect(status).toBe('interrupted')
  expect(ran).toEqual([])
  expect(results(messages)).toEqual([
    ['interrupted', 'Interrupted before it ran.'],
    ['blocked', 'not that one'],
    ['interrupted', 'Interrupted before it ran.'],
  ])
})

test('of a call that had begun nobody says that it did not run', async () => {
  const hang = tool({ name: 'hang', run: () => new Promise<never>(() => {}) })
  const turn = createAgent({ model: scriptedModel([{ calls: [{ name: 'hang', args: {} }] }]), tools: [hang] }).send(
    'Go.',
  )
  for await (const event of turn) if (event.type === 'tool.executing') turn.interrupt()
  const { messages } = await turn.settled
  expect(results(messages)).toEqual([['interrupted', 'Interrupted. It may have completed.']])
})
