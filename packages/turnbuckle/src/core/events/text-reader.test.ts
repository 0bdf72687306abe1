import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

async function read(text: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of text) pieces.push(piece)
  return pieces
}

test('the text of every reply of a turn comes, in order', async () => {
  const look = tool({ name: 'look', run: () => 'seen' })
  const model = scriptedModel([{ text: 'I look. ', calls: [{ name: 'look' }] }, 'There it is.'])
  const turn = createAgent({ model, tools: [look] }).send('Go')
  expect((await read(turn.text)).join('')).toBe('I look. There it is.')
})

test('who reads when the turn is over gets the text in whole replies', async () => {
  const turn = createAgent({ model: scriptedModel(['There it is.']) }).send('Go')
  await turn
  expect(await read(turn.text)).toEqual(['There it is.'])
})

test('two readers do not take from each other', async () => {
  const turn = createAgent({ model: scriptedModel(['There it is.']) }).send('Go')
  const [one, other] = await Promise.all([read(turn.text), read(turn.text)])
  expect([one.join(''), other.join('')]).toEqual(['There it is.', 'There it is.'])
})
