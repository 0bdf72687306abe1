import { createAgent, textOf, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const chunksOf = async (model: ReturnType<typeof scriptedModel>) => {
  const prompt = { messages: [], tools: [], instructions: '', params: {} }
  const chunks: unknown[] = []
  for await (const chunk of model.stream(prompt, { signal: new AbortController().signal })) chunks.push(chunk)
  return chunks
}

test('a reply is text, reasoning, calls and usage, in that order, and a reason to end', async () => {
  const usage = { inputTokens: 3, outputTokens: 1 }
  const model = scriptedModel([{ text: 'Hi', reasoning: 'Hm', calls: [{ name: 'look', args: { a: 1 } }], usage }])
  expect(await chunksOf(model)).toEqual([
    { type: 'reasoning', text: 'Hm' },
    { type: 'text', text: 'Hi' },
    { type: 'call', id: 'call_1_1', name: 'look', args: { a: 1 } },
    { type: 'usage', ...usage },
    { type: 'finish', reason: 'tool-calls' },
  ])
})

test('exact chunks, also in arrays, come as they are', async () => {
  const chunks = [[{ type: 'text' as const, text: 'a' }], { type: 'text' as const, text: 'b' }]
  expect(await chunksOf(scriptedModel([{ chunks }]))).toEqual(chunks)
})

test('an error is thrown after what was said', async () => {
  const { error, messages } = await createAgent({
    model: scriptedModel([{ text: 'Well', error: new Error('cut') }]),
  }).send('Go').settled
  expect(error).toEqual(new Error('cut'))
  expect(textOf(messages[1])).toBe('Well')
})

test('a function sees the prompt; prompts are kept as they were sent', async () => {
  const look = tool({ name: 'look', run: () => 'seen' })
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, ({ messages }) => `There were ${messages.length}.`])
  expect((await createAgent({ model, tools: [look] }).send('Go')).text).toBe('There were 3.')
  expect(model.prompts.map(({ messages }) => messages.length)).toEqual([1, 3])
})

test('when the script is over it says so; repeat begins again', async () => {
  const { error } = await createAgent({ model: scriptedModel([]) }).send('Go').settled
  expect(error).toMatchObject({ code: 'script.over' })
  const chat = createAgent({ model: scriptedModel(['A', 'B'], { repeat: true }) }).conversation()
  const said: string[] = []
  for (let i = 0; i < 3; i++) said.push((await chat.send('Go')).text)
  expect(said).toEqual(['A', 'B', 'A'])
})

test('a delay waits on the clock, and ends with the signal', async () => {
  const clock = virtualClock()
  const turn = createAgent({ model: scriptedModel([{ text: 'Late', delayMs: 100 }], { clock }), clock }).send('Go')
  await clock.advance(99)
  expect(turn.ended).toBe(false)
  await clock.advance(1)
  expect((await turn).text).toBe('Late')
  const controller = new AbortController()
  const stream = scriptedModel([{ text: 'Never', delayMs: 100 }], { clock }).stream(
    { messages: [], tools: [], instructions: '', params: {} },
    { signal: controller.signal },
  )
  const reading = stream[Symbol.asyncIterator]().next()
  await clock.advance(1)
  controller.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
  expect(clock.timers).toBe(0)
})
