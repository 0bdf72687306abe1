import {
  agentTool,
  block,
  createAgent,
  type Event,
  type Middleware,
  middleware,
  textOf,
  tool,
  type Usage,
} from 'turnbuckle'
import { costLimit, displayBuffer, memory, notify, tokenLimit } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type Chooser, type ExploreOptions, explore } from './explore.ts'

type Script = Parameters<typeof scriptedModel>[0]
const model = (id: string, script: Script = [`${id} says`]) => scriptedModel(script, { id })

async function run(
  judge: ExploreOptions['judge'],
  others: readonly ReturnType<typeof model>[] = [model('b'), model('c')],
) {
  const variants = [{}, ...others.map(other => ({ model: other }))]
  const chat = createAgent({ model: model('a'), use: [explore({ variants, judge })] }).conversation()
  const result = await chat.send('why?').settled
  return { chat, result }
}

describe('explore', () => {
  test.each<{ name: string; judge: Chooser; text: string }>([
    { name: 'the own branch may win', judge: () => 0, text: 'a says' },
    { name: 'another one may win', judge: async () => 1, text: 'b says' },
    { name: 'the judge sees all', judge: all => all.findIndex(({ text }) => text === 'c says'), text: 'c says' },
    { name: 'a judge that fails keeps the own', judge: () => Promise.reject(new Error('down')), text: 'a says' },
    { name: 'a choice that is none keeps the own', judge: () => 7, text: 'a says' },
  ])('$name', async ({ judge, text }) => {
    const { chat, result } = await run(judge)
    expect(result).toMatchObject({ status: 'completed', text })
    expect(result.messages.map(textOf)).toEqual(['why?', text])
    expect(chat.messages.map(textOf)).toEqual(['why?', text])
    expect(checkHistory(chat.messages)).toEqual([])
    expect(
      chat.tree
        .map(node => textOf(node.message))
        .filter(said => said.endsWith('says'))
        .sort(),
    ).toEqual(['a says', 'b says', 'c says'])
  })

  test.each([
    { says: 'Answer 2 is best.', text: 'b says' },
    { says: '9', text: 'a says' },
  ])('a model may judge: $says', async ({ says, text }) => {
    expect((await run(model('judge', [says]))).result.text).toBe(text)
  })

  test('a branch that fails is no candidate', async () => {
    const seen: string[][] = []
    const judge: Chooser = all => {
      seen.push(all.map(({ text }) => text))
      return 1
    }
    const { result } = await run(judge, [model('b', [{ error: new Error('down') }]), model('c')])
    expect(result.text).toBe('c says')
    expect(seen).toEqual([['a says', 'c says']])
  })

  test('the next turn goes on from the kept branch', async () => {
    const { chat } = await run(() => 1)
    const first = chat.messages
    const next = chat.fork()
    expect(next.messages).toEqual(first)
    await chat.send('and?').settled
    expect(chat.messages.slice(0, 2)).toEqual(first)
  })

  test('each branch has its instructions and parameters', async () => {
    const main = scriptedModel(['x'], { repeat: true })
    const variants = [{ instructions: 'Short.' }, { instructions: 'Long.', params: { temperature: 1 } }]
    await createAgent({ model: main, instructions: 'Base.', use: [explore({ variants, judge: () => 0 })] }).send('why?')
    expect(main.prompts.map(({ instructions, params }) => ({ instructions, params }))).toEqual(
      expect.arrayContaining([
        { instructions: 'Base.\n\nShort.', params: {} },
        { instructions: 'Base.\n\nLong.', params: { temperature: 1 } },
      ]),
    )
  })

  test('what it costs is counted', async () => {
    const usage = { inputTokens: 1, outputTokens: 2 }
    const main = scriptedModel([{ text: 'x', usage }], { repeat: true })
    const result = await createAgent({ model: main, use: [explore({ judge: () => 0 })] }).send('why?')
    expect(result.usage).toMatchObject({ inputTokens: 2, outputTokens: 4 })
  })

  test('result, turn, terminal event and store agree on the cost, with the judge’s', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, cost: 1 }
    const judge = scriptedModel([{ text: '1', usage: { inputTokens: 4, outputTokens: 1, cost: 0.5 } }])
    const model = scriptedModel([{ text: 'x', usage }], { repeat: true })
    const store = memoryStore()
    const turn = createAgent({ model, store, use: [explore({ judge })] })
      .conversation('c')
      .send('why?')
    const events: Event[] = []
    for await (const event of turn) events.push(event)
    const all = { inputTokens: 24, outputTokens: 11, cost: 2.5 }
    expect((await turn).usage).toEqual(all)
    expect(turn.usage).toEqual(all)
    expect(events.at(-1)).toMatchObject({ type: 'turn.completed', usage: all })
    expect((await store.list()).map(row => row.usage)).toEqual([all])
  })

  test.each<{ name: string; judge: ExploreOptions['judge']; use: Middleware[] }>([
    { name: 'the judge fails', judge: () => Promise.reject(new Error('down')), use: [] },
    { name: 'a limit is reached before the judge', judge: scriptedModel(['1']), use: [costLimit(2)] },
  ])('they agree where $name', async ({ judge, use }) => {
    const usage = { inputTokens: 10, outputTokens: 5, cost: 1 }
    const store = memoryStore()
    const model = scriptedModel([{ text: 'x', usage }], { repeat: true })
    const agent = createAgent({ model, store, use: [explore({ judge }), ...use] })
    const both = { inputTokens: 20, outputTokens: 10, cost: 2 }
    expect(await agent.send('why?')).toMatchObject({ text: 'x', usage: both, elsewhere: usage })
    expect((await store.list()).map(row => row.usage)).toEqual([both])
  })

  describe('a limit holds for all branches together', () => {
    const cost = { inputTokens: 30, outputTokens: 20, cost: 0.25 }
    const work = tool({ name: 'work', run: () => 'ok' })
    const working = (usage?: Usage) =>
      scriptedModel(
        [({ messages }) => ({ calls: [{ name: 'work', args: { n: messages.length } }], ...(usage ? { usage } : {}) })],
        { repeat: true },
      )
    test.each<{ name: string; limit: Middleware; usage?: Usage; calls: number }>([
      { name: 'the cost of a turn', limit: costLimit(1.5), usage: cost, calls: 6 },
      { name: 'the tokens of a turn', limit: tokenLimit(300), usage: cost, calls: 6 },
      {
        name: 'the cost of a conversation',
        limit: costLimit({ max: 1.5, scope: 'conversation' }),
        usage: cost,
        calls: 6,
      },
      { name: 'what is estimated', limit: tokenLimit(200), calls: 6 },
    ])('$name', async ({ limit, usage, calls }) => {
      const main = working(usage)
      const use = [explore({ variants: [{}, {}, {}], judge: () => 0 }), limit]
      const { status } = await createAgent({ model: main, tools: [work], use }).send('why?')
      expect([status, main.prompts.length]).toEqual(['stopped', calls])
    })
  })

  test("in a sub-agent the caller's guards hold on every branch, and what they cost counts there", async () => {
    const usage = { inputTokens: 1, outputTokens: 1, cost: 0.1 }
    const ran: string[] = []
    const send = tool({ name: 'send', run: () => ran.push('sent') })
    const inner = scriptedModel(
      [({ messages }) => (messages.length > 1 ? { text: 'no', usage } : { calls: [{ name: 'send' }], usage })],
      { repeat: true },
    )
    const child = createAgent({ model: inner, tools: [send], use: [explore({ judge: () => 1 })] })
    const model = scriptedModel([
      { calls: [{ name: 'ask', args: { task: 'x' } }], usage },
      { text: 'ok', usage },
    ])
    const guard = middleware({ name: 'no', guard: true, tools: ['send'], beforeTool: () => block('no') })
    const result = await createAgent({ model, tools: [agentTool(child, { name: 'ask' })], use: [guard] }).send('go')
    expect([ran, inner.prompts.length]).toEqual([[], 4])
    expect(result.usage.cost).toBeCloseTo(0.6)
  })

  test('what holds for the turn alone holds on every branch', async () => {
    const ran: string[] = []
    const send = tool({ name: 'send', run: () => ran.push('sent') })
    const inner = scriptedModel([({ messages }) => (messages.length > 1 ? 'no' : { calls: [{ name: 'send' }] })], {
      repeat: true,
    })
    const child = createAgent({ model: inner, tools: [send], use: [explore({ judge: () => 1 })] })
    const model = scriptedModel([{ calls: [{ name: 'ask', args: { task: 'x' } }] }, 'ok'])
    await createAgent({ model, tools: [agentTool(child, { name: 'ask', deny: ['send'] })] }).send('go')
    expect([ran, inner.prompts.length]).toEqual([[], 4])
  })

  test('an interrupt ends every branch', async () => {
    const ended: string[] = []
    const watch = middleware({ name: 'watch', afterTurn: ctx => void ended.push(ctx.result.status) })
    const stuck = {
      id: 'stuck',
      async *stream() {
        await new Promise(() => {})
      },
    }
    const agent = createAgent({ model: stuck, use: [explore({ judge: () => 0 }), watch] })
    const turn = agent.send('why?')
    await new Promise(resolve => setImmediate(resolve))
    turn.interrupt()
    expect((await turn.settled).status).toBe('interrupted')
    await new Promise(resolve => setImmediate(resolve))
    expect(ended).toEqual(['interrupted', 'interrupted'])
  })

  test('what is tried is neither shown, told nor learnt', async () => {
    const shown: string[] = []
    const told: string[] = []
    const learnt: string[] = []
    const use = [
      explore({ variants: [{}, { model: model('b') }], judge: () => 1 }),
      displayBuffer({ display: { show: text => void shown.push(text) } }),
      notify(({ text }) => told.push(text)),
      memory({ recall: () => [], extract: messages => learnt.push(textOf(messages.at(-1))) }),
    ]
    expect((await createAgent({ model: model('a'), use }).send('why?')).text).toBe('b says')
    expect({ shown, told, learnt }).toEqual({ shown: ['a says'], told: ['Done: b says'], learnt: ['b says'] })
  })

  test('a message may be left alone', async () => {
    const main = scriptedModel(['x'], { repeat: true })
    await createAgent({
      model: main,
      use: [explore({ judge: () => 0, when: message => textOf(message).length > 10 })],
    }).send('why?')
    expect(main.prompts).toHaveLength(1)
  })
})
