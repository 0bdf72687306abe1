import { createAgent, middleware, textOf } from 'turnbuckle'
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

  test('a message may be left alone', async () => {
    const main = scriptedModel(['x'], { repeat: true })
    await createAgent({
      model: main,
      use: [explore({ judge: () => 0, when: message => textOf(message).length > 10 })],
    }).send('why?')
    expect(main.prompts).toHaveLength(1)
  })
})
