import { createAgent, middleware, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { OpenConversation } from '../conversations/open/open-conversation.ts'
import { denyRequest } from './deny-request.ts'

/** A turn all of whose questions are met with `denyRequest`. */
async function deniedTurn(use: ReturnType<typeof middleware>) {
  const pay = tool({ name: 'pay', run: () => 'paid' })
  const model = scriptedModel([{ calls: [{ name: 'pay', args: {} }] }, 'Done.'])
  const turn = createAgent({ model, tools: [pay], use: [use] }).send('Pay.')
  const conversation = { turn: () => turn } as unknown as OpenConversation
  for await (const event of turn) denyRequest(conversation, event)
  const parts = (await turn).messages.flatMap(({ content }) => content)
  return parts.flatMap(part => (part.type === 'result' ? [part] : []))
}

test('a permission is denied, with the reason', async () => {
  expect(await deniedTurn(approval())).toMatchObject([
    { status: 'denied', value: expect.stringContaining('Nobody can be asked here') },
  ])
})

test('any other question is over at once, and its fallback counts', async () => {
  const answers: unknown[] = []
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      answers.push(await ctx.ask('order', 'What shall it be?', { timeout: Infinity, fallback: 'tea' }))
    },
  })
  expect(await deniedTurn(asks)).toMatchObject([{ status: 'ok', value: 'paid' }])
  expect(answers).toEqual(['tea'])
})
