import { block, createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { resultsOf } from '../../../test/support/results-of.ts'
import { TurnPeople } from './turn-people.ts'

const ran: unknown[] = []
const danger = tool({ name: 'danger', run: args => void ran.push(args) })
const callsDanger = (...args: unknown[]) =>
  scriptedModel([{ calls: args.map(a => ({ name: 'danger', args: a })) }, 'Done'])
const seen = () => ran.splice(0)

test('five prompts open one at a time', async () => {
  const approval = middleware({
    name: 'approval',
    guard: true,
    async beforeTool(ctx) {
      const { decision } = await ctx.ask('permission', ctx.call)
      if (decision === 'deny') return block('denied')
    },
  })
  const model = callsDanger(...[1, 2, 3, 4, 5].map(i => ({ i })))
  const chat = createAgent({ model, tools: [danger], use: [approval], breaker: false }).conversation()
  const turn = chat.send('Go')
  const open: number[] = []
  for await (const event of turn)
    if (event.type === 'request.opened') {
      open.push(chat.requests.length)
      // Nothing runs before every question is answered.
      expect(ran).toEqual([])
      turn.answer(event.requestId, { decision: open.length === 3 ? 'deny' : 'allow' })
    }
  expect(open).toEqual([1, 1, 1, 1, 1])
  expect(seen()).toEqual([1, 2, 4, 5].map(i => ({ i })))
  const statuses = resultsOf((await turn).messages)
  expect(statuses.map(({ status }) => status)).toEqual(['ok', 'ok', 'denied', 'ok', 'ok'])
})

test('interjections are heard first in, first out; those of the turn before come first', () => {
  const people = new TurnPeople()
  people.queueUp({ text: 'b' }, { text: 'c', by: 'look' })
  people.queueFirst([{ text: 'a' }])
  people.queueFirst([])
  people.shift()
  expect(people.queue).toEqual([{ text: 'b' }, { text: 'c', by: 'look' }])
  expect([people.takeAll(), people.queue]).toEqual([[{ text: 'b' }, { text: 'c', by: 'look' }], []])
})

test('the queue closes and opens again, and what it holds stays', () => {
  const people = new TurnPeople()
  people.queueUp({ text: 'a' })
  people.close()
  expect([people.closed, people.queue]).toEqual([true, [{ text: 'a' }]])
  people.reopen()
  expect(people.closed).toBe(false)
})
