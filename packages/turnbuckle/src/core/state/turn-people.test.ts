import { block, createAgent, middleware, textOf, tool } from 'turnbuckle'
import { checkHistory, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../test/support/code-of.ts'
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

describe('interject', () => {
  test('messages come after the results of the running batch, first in, first out', async () => {
    const clock = virtualClock()
    const slow = tool({ name: 'slow', run: () => new Promise(resolve => clock.after(100, () => resolve('done'))) })
    const calls = [1, 2, 3].map(i => ({ name: 'slow', id: `c${i}` }))
    const model = scriptedModel([{ calls }, 'I see.'])
    const chat = createAgent({ model, tools: [slow], clock, parallelTools: 1, breaker: false }).conversation()
    const turn = chat.send('Go')
    await clock.advance(150)
    turn.interject('Also this.')
    turn.interject('And that.')
    await clock.advance(300)
    await turn
    expect(chat.messages.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'tool', 'tool'],
      ...['user', 'user', 'assistant'],
    ])
    expect(chat.messages.slice(5).map(textOf)).toEqual(['Also this.', 'And that.', 'I see.'])
    expect(checkHistory(model.prompts[1]?.messages ?? [])).toEqual([])
  })

  test('while the model speaks its last word, another step answers it', async () => {
    const clock = virtualClock()
    const model = scriptedModel([{ text: 'Done.', delayMs: 10 }, 'That too.'], { clock })
    const chat = createAgent({ model, clock }).conversation()
    const turn = chat.send('Go')
    await clock.advance(5)
    turn.interject('Wait!')
    await clock.advance(5)
    expect((await turn).text).toBe('That too.')
    expect(chat.messages.map(textOf)).toEqual(['Go', 'Done.', 'Wait!', 'That too.'])
  })

  test.each(['interrupt', 'stop', 'finish', 'fail'] as const)(
    'accepted means applied, also when %s ends the turn',
    async how => {
      const clock = virtualClock()
      const { stop, finish, fail } = await import('turnbuckle')
      const directives = { stop: stop('x'), finish: finish('x'), fail: fail(new Error('x')), interrupt: undefined }
      const ends = middleware({ name: 'ends', afterModel: () => directives[how] })
      const model = scriptedModel([{ text: 'Hm', delayMs: 10 }], { clock })
      const chat = createAgent({ model, clock, use: [ends] }).conversation()
      const turn = chat.send('Go')
      await clock.advance(5)
      turn.interject('Mind this.')
      if (how === 'interrupt') turn.interrupt()
      await clock.advance(5)
      await turn.settled
      expect(chat.messages.map(textOf)).toContain('Mind this.')
      expect(checkHistory(chat.messages)).toEqual([])
    },
  )

  test('is refused when the turn is over, with a typed error', async () => {
    const turn = createAgent({ model: scriptedModel(['Hi']) }).send('Go')
    await turn
    expect(codeOf(() => turn.interject('Too late'))).toBe('turn.ended')
  })

  test('the queue closes with the last decide: nothing is accepted and lost', async () => {
    const codes: unknown[] = []
    const late = middleware({
      name: 'late',
      afterDecide: ctx => void (ctx.step === 0 && ctx.turn.interject('Just in time.')),
      afterTurn: ctx => void codes.push(codeOf(() => ctx.turn.interject('Too late.'))),
    })
    const { messages } = await createAgent({ model: scriptedModel(['One', 'Two']), use: [late] }).send('Go')
    expect(messages.map(textOf)).toEqual(['Go', 'One', 'Just in time.', 'Two'])
    expect(codes).toEqual(['turn.ended'])
  })
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
