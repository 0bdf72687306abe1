import { createAgent } from 'turnbuckle'
import { critic } from 'turnbuckle/middleware'
import { memoryStore, type ReplayOptions, replay } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const judge = scriptedModel([], { id: 'judge' })
const accepts = () => scriptedModel(['ACCEPT'])

async function recorded() {
  const store = memoryStore()
  const turn = createAgent({ model: scriptedModel(['Hi.']), store }).send('Hello')
  await turn
  return { store, id: turn.id }
}

const use = [critic(judge)]
const mistakes = [
  { what: 'no options', options: undefined, says: /takes options as its third argument/ },
  { what: 'no use', options: {}, says: /replay\(\{ use \}\) takes a list of middleware/ },
  { what: 'a word as answers', options: { use, answers: 'allow' }, says: /replay\(\{ answers \}\) takes a table/ },
  { what: 'a model as models', options: { use, models: 5 }, says: /replay\(\{ models \}\) takes a table/ },
  {
    what: 'text for a model',
    options: { use, models: { judge: 'ACCEPT' } },
    says: /models: \{ "judge": … \} \}\) is no model/,
  },
  {
    what: 'a function for a model',
    options: { use, models: { judge: accepts } },
    says: /replay\(\{ models: call => model \}\)/,
  },
]

test.each(mistakes)('$what: the error names the option and what it takes', async ({ options, says }) => {
  const { store, id } = await recorded()
  const given = options as unknown as ReplayOptions
  await expect(replay(store, id, given)).rejects.toMatchObject({
    code: 'replay.options',
    message: expect.stringMatching(says),
  })
  expect(() => replay(store, 'all', given)).toThrow(says)
})

test('what a function gives is checked when a hook asks, and its own error is that of the replay', async () => {
  const { store, id } = await recorded()
  const promised = (async () => accepts()) as unknown as () => undefined
  await expect(replay(store, id, { use, models: promised })).rejects.toMatchObject({
    code: 'replay.options',
    message: 'What replay({ models }) gave for "judge" is no model: it has no stream(prompt, options).',
  })
  const broken = () => {
    throw new Error('no key for the judge')
  }
  await expect(replay(store, id, { use, models: broken })).rejects.toThrow('no key for the judge')
  expect(await replay(store, id, { use, models: accepts })).toMatchObject({ outcome: 'same' })
})
