import { createAgent, tool } from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { look, looks } from '../../../test/support/looks.ts'
import { resultsOf } from '../../../test/support/results-of.ts'

describe('the tree', () => {
  test('a second handle that is made while calls run branches off, with a result for each of them', async () => {
    let open = () => {}
    const opened = new Promise<void>(resolve => {
      open = resolve
    })
    const model = scriptedModel([{ calls: [{ name: 'wait' }] }, 'Beside.', 'Done.'])
    const agent = createAgent({ model, tools: [tool({ name: 'wait', run: () => opened })] })
    const turn = agent.conversation('c').send('Go')
    for await (const { type } of turn) if (type === 'tool.executing') break
    const second = agent.conversation('c')
    await second.send('And you?')
    expect(second.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
    open()
    await turn
    for (const { messages } of model.prompts) expect(checkHistory(messages)).toEqual([])
  })

  test('forks onto the same open calls share the results that are made up', async () => {
    const look = tool({ name: 'look', run: () => [chat.fork(), chat.fork(), chat.fork()].map(({ head }) => head) })
    const agent = createAgent({ model: scriptedModel([{ calls: [{ name: 'look' }] }, 'Done.']), tools: [look] })
    const chat = agent.conversation()
    await chat.send('Look')
    const [result] = resultsOf(chat.messages)
    expect(new Set(result?.value as string[]).size).toBe(1)
    expect(chat.tree.length).toBe(chat.messages.length + 1)
  })

  test.each([1, 2])('a fork onto open calls (message %i of the batch) makes their results up first', async index => {
    const chat = createAgent({ model: looks(), tools: [look] }).conversation()
    await chat.send('Go')
    const fork = chat.fork(chat.tree[index]?.id)
    expect(checkHistory(fork.messages)).toEqual([])
    const results = resultsOf(fork.messages)
    expect(results.map(({ status }) => status)).toEqual(
      index === 1 ? ['interrupted', 'interrupted'] : ['ok', 'interrupted'],
    )
    await fork.send('Go on')
    expect(checkHistory(fork.messages)).toEqual([])
  })
})
