import { createAgent, type Event, type Middleware, middleware, textOf, tool } from 'turnbuckle'
import { pii, sanitize, secrets } from 'turnbuckle/middleware'
import { type ConversationStore, memoryStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { codeOf } from '../../../test/support/code-of.ts'

const calls = [{ name: 'look', args: {} }]
const card = '4111 1111 1111 1111'
const key = `sk-ant-api03-${'a1B2'.repeat(24)}`

/** Says something while a tool runs; gives what anybody was told about it. */
async function say(text: string, use: readonly Middleware[]) {
  const seen: Event[] = []
  const watch = middleware({ name: 'watch', onEvent: event => void seen.push(event) })
  const look = tool({ name: 'look', run: (_, ctx) => ctx.interject(text) })
  const agent = createAgent({ model: scriptedModel([{ calls }, 'ok']), tools: [look], use: [watch, ...use] })
  const turn = agent.send('go')
  const turnEvents: Event[] = []
  for await (const event of turn) turnEvents.push(event)
  const told = [...turnEvents, ...seen].filter(({ type }) => type.startsWith('interjection.'))
  return { told, seen: [...turnEvents, ...seen], messages: (await turn).messages }
}

/** Goes on with the turn of a process that has ended; gives every event that is told. */
async function resume(store: ConversationStore) {
  const look = tool({ name: 'look', idempotent: true, run: () => 'seen' })
  const resumed = createAgent({ model: scriptedModel(['ok']), tools: [look], store, use: pii() }).resume('c')
  const told: Event[] = []
  for await (const event of resumed ?? []) told.push(event)
  return { resumed, told }
}

test.each<{ name: string; use: readonly Middleware[]; text: string; recorded: string }>([
  { name: 'a card number', use: pii(), text: `Mine is ${card}.`, recorded: 'Mine is [card].' },
  { name: 'a key', use: secrets(), text: `Take ${key} then.`, recorded: 'Take [api-key] then.' },
  { name: 'an escape sequence', use: sanitize(), text: 'Red: \u001b[31mhi', recorded: 'Red: hi' },
])('nobody is told $name before the hook that takes it out has seen it', async ({ use, text, recorded }) => {
  const { told, seen, messages } = await say(text, use)
  expect(messages.map(textOf)).toContain(recorded)
  expect(JSON.stringify(seen)).not.toContain(JSON.stringify(text).slice(1, -1))
  const both = [
    { type: 'interjection.queued', text: '', withheld: true },
    { type: 'interjection.applied', text: recorded },
  ]
  expect(told).toMatchObject([...both, ...both])
})

test('where no hook looks at messages, it is told at once', async () => {
  const { told } = await say('By the way.', [])
  expect(told[0]).toMatchObject({ type: 'interjection.queued', text: 'By the way.', by: 'look' })
})

test('what was said before a crash is heard after it, through the hooks', async () => {
  const store = memoryStore()
  const stuck = tool({ name: 'look', run: () => new Promise(() => {}) })
  const first = createAgent({ model: scriptedModel([{ calls }]), tools: [stuck], store, use: pii() })
  const chat = first.conversation('c')
  const turn = chat.send('go')
  for await (const event of turn) if (event.type === 'tool.executing') break
  turn.interject(`Mine is ${card}.`)
  turn.interject('And?')
  await first.close()
  const { resumed, told } = await resume(store)
  expect((await resumed)?.messages.map(textOf)).toEqual(['go', '', '', 'Mine is [card].', 'And?', 'ok'])
  expect(JSON.stringify(told)).not.toContain('4111')
  expect(told.filter(({ type }) => type === 'interjection.queued')).toHaveLength(2)
})

test('what a tool or hook says is signed, also after a crash; what is said through the turn is a person’s', async () => {
  const store = memoryStore()
  const sign = middleware({
    name: 'sign',
    guard: true,
    onChunk: chunk => (chunk.type === 'text' ? { ...chunk, text: `(seen) ${chunk.text}` } : undefined),
  })
  const stuck = tool({
    name: 'look',
    run: (_args, ctx) => {
      ctx.interject('From a tool.')
      return new Promise(() => {})
    },
  })
  const hook = middleware({ name: 'hook', beforeTool: ctx => ctx.interject('From a hook.') })
  const first = createAgent({ model: scriptedModel([{ calls }]), tools: [stuck], store, use: [hook, sign] })
  const turn = first.conversation('c').send('go')
  for await (const event of turn) if (event.type === 'interjection.queued' && event.by === 'look') break
  turn.interject('From a person.')
  await first.close()
  const look = tool({ name: 'look', idempotent: true, run: () => 'seen' })
  const resumed = createAgent({ model: scriptedModel(['ok']), tools: [look], store, use: [hook, sign] }).resume('c')
  const { messages } = (await resumed) ?? { messages: [] }
  expect(messages.filter(({ role }) => role === 'user').map(message => [message.by, textOf(message)])).toEqual([
    [undefined, 'go'],
    ['hook', '(seen) From a hook.'],
    ['look', '(seen) From a tool.'],
    [undefined, 'From a person.'],
  ])
})

test('what a person has said can be taken back until the turn hears it, also across a crash', async () => {
  const store = memoryStore()
  const stuck = tool({ name: 'look', run: () => new Promise(() => {}) })
  const first = createAgent({ model: scriptedModel([{ calls }]), tools: [stuck], store, use: pii() })
  const turn = first.conversation('c').send('go')
  for await (const event of turn) if (event.type === 'tool.executing') break
  for (const text of ['One.', `Mine is ${card}.`, 'Three.']) turn.interject(text)
  expect([turn.takeBack(), turn.takeBack()]).toEqual(['Three.', `Mine is ${card}.`])
  await first.close()
  const { resumed, told } = await resume(store)
  expect((await resumed)?.messages.map(textOf)).toEqual(['go', '', '', 'One.', 'ok'])
  expect(told.filter(({ type }) => type === 'interjection.withdrawn')).toMatchObject([
    { text: '', withheld: true },
    { text: '', withheld: true },
  ])
  expect(resumed?.takeBack()).toBeUndefined()
})

test('what a tool has said, and what is being recorded, is not taken back', async () => {
  const taken: unknown[] = []
  const watch = middleware({
    name: 'watch',
    beforeAppend: ctx => {
      if (ctx.message.role === 'user') taken.push(ctx.turn.takeBack())
    },
  })
  const look = tool({
    name: 'look',
    run: (_, ctx) => {
      ctx.interject('A tool’s.')
      turn.interject('One.')
      turn.interject('Two.')
    },
  })
  const agent = createAgent({ model: scriptedModel([{ calls }, 'ok']), tools: [look], use: [watch] })
  const turn = agent.send('go')
  const { messages } = await turn
  expect(messages.map(textOf)).toEqual(['go', '', '', 'A tool’s.', 'One.', 'ok'])
  expect(taken).toEqual([undefined, 'Two.', undefined])
})

test('what an interrupted turn leaves to the next one cannot be taken back from it', async () => {
  const use = [middleware({ name: 'watch', beforeAppend() {} })]
  const stuck = tool({ name: 'look', run: () => new Promise(() => {}) })
  const chat = createAgent({ model: scriptedModel([{ calls }, 'ok', 'ok']), tools: [stuck], use }).conversation()
  const turn = chat.send('go')
  for await (const event of turn) {
    if (event.type !== 'tool.executing') continue
    turn.interject('By the way.')
    turn.interrupt()
  }
  expect(turn.takeBack()).toBeUndefined()
  expect((await chat.send('Go on.')).messages.map(textOf)).toContain('By the way.')
})

test('interjected messages come after the results of the running batch, first in, first out', async () => {
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

test('what is interjected while the model speaks its last word has step that answers it', async () => {
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
  'an interjection that is accepted is applied, also when %s ends the turn',
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

test('an interjection is refused when the turn is over, with a typed error', async () => {
  const turn = createAgent({ model: scriptedModel(['Hi']) }).send('Go')
  await turn
  expect(codeOf(() => turn.interject('Too late'))).toBe('turn.ended')
})

test('interjections end with the last decide: nothing is accepted and lost', async () => {
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
