import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const settle = () => new Promise<void>(resolve => setImmediate(resolve))

describe('readers', () => {
  test('a turn says what it has cost and done so far', async () => {
    const usage = { inputTokens: 3, outputTokens: 2 }
    const hang = tool({ name: 'hang', run: () => new Promise(() => {}) })
    const chat = createAgent({
      model: scriptedModel([{ calls: [{ name: 'hang' }], usage }]),
      tools: [hang],
    }).conversation('named')
    const turn = chat.send('Go')
    await settle()
    expect(turn).toMatchObject({ steps: 1, usage, ended: false, conversationId: 'named', parent: undefined })
    turn.interrupt()
    expect(turn.ended).toBe(true)
  })
})

test('an error that fails two turns carries the result of the one that was awaited', async () => {
  const error = new Error('Down')
  const agent = createAgent({ model: scriptedModel([{ error }, { text: 'Half', error }]) })
  await expect(agent.send('One')).rejects.toHaveProperty('result.text', '')
  await expect(agent.send('Two')).rejects.toHaveProperty('result.text', 'Half')
})

describe('turns', () => {
  test('turn.text is what was shown, also for who comes late', async () => {
    const turn = createAgent({ model: scriptedModel([{ text: 'Hello there' }]) }).send('Go')
    await turn
    const late: string[] = []
    for await (const text of turn.text) late.push(text)
    expect(late.join('')).toBe('Hello there')
  })
})
