import { createAgent, middleware, type Turn, textOf, tool } from 'turnbuckle'
import { critic, fallback, retry } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const down = new Error('down')
const broken: ScriptedStep = { chunks: [{ type: 'text', text: 'Let me' }], error: down }
const again = retry({ baseMs: 0 })

async function pieces(text: AsyncIterable<string>): Promise<string[]> {
  const read: string[] = []
  for await (const piece of text) read.push(piece)
  return read
}
const read = async (turn: Turn): Promise<string> => (await pieces(turn.text)).join('')

const cases = () => [
  { what: 'a retry', script: [broken, 'Let me see.'], use: [again], shown: 'Let me\n\nLet me see.' },
  {
    what: 'a fallback',
    script: [broken],
    use: [fallback([scriptedModel(['Let me see.'])])],
    shown: 'Let me\n\nLet me see.',
  },
  {
    what: 'a critic',
    script: ['A draft.', 'The answer.'],
    use: [critic(scriptedModel(['REVISE', 'ACCEPT']))],
    shown: 'A draft.\n\nThe answer.',
  },
  {
    what: 'a hook that changes the reply after it was shown',
    script: ['Secret.'],
    use: [
      middleware({
        name: 'hides',
        wrapModel: async (_ctx, next) => ({ ...(await next()), content: [{ type: 'text', text: 'Hidden.' }] }),
      }),
    ],
    shown: 'Secret.\n\nHidden.',
  },
  { what: 'nothing special', script: ['One reply.'], use: [], shown: 'One reply.' },
]
const everywhere = [
  ...cases().map(each => ({ ...each, where: 'in memory', store: undefined })),
  ...cases().map(each => ({ ...each, where: 'on a log', store: memoryStore() })),
]

test.each(everywhere)('texts never run together: $what, $where', async ({ script, use, shown, store }) => {
  const turn = createAgent({ model: scriptedModel(script), use, store }).send('go')
  expect(await read(turn)).toBe(shown)
  const { text, messages } = await turn
  expect(text).toBe(textOf(messages.at(-1)))
  expect(shown.endsWith(text)).toBe(true)
})

test('steps with calls between them are apart, and a late reader gets the messages that count', async () => {
  const script = [broken, { text: 'I look.', calls: [{ name: 'none' }] }, 'Nothing there.']
  const turn = createAgent({ model: scriptedModel(script), use: [again] }).send('go')
  expect(await read(turn)).toBe('Let me\n\nI look.\n\nNothing there.')
  expect(await read(turn)).toBe('I look.\n\nNothing there.')
})

test('the text of every reply of a turn comes, in order, with a blank line between', async () => {
  const look = tool({ name: 'look', run: () => 'seen' })
  const model = scriptedModel([{ text: 'I look. ', calls: [{ name: 'look' }] }, 'There it is.'])
  const turn = createAgent({ model, tools: [look] }).send('Go')
  expect((await pieces(turn.text)).join('')).toBe('I look. \n\nThere it is.')
})

test('who reads when the turn is over gets the text in whole replies', async () => {
  const turn = createAgent({ model: scriptedModel(['There it is.']) }).send('Go')
  await turn
  expect(await pieces(turn.text)).toEqual(['There it is.'])
})

test('two readers do not take from each other', async () => {
  const turn = createAgent({ model: scriptedModel(['There it is.']) }).send('Go')
  const [one, other] = await Promise.all([pieces(turn.text), pieces(turn.text)])
  expect([one.join(''), other.join('')]).toEqual(['There it is.', 'There it is.'])
})
