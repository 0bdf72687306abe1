import { createAgent, type NewMessage } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { analysis } from './analysis.ts'

const talk = (...texts: string[]): NewMessage[] =>
  texts.map((content, i) => ({ role: i % 2 ? 'assistant' : 'user', content }))
const options = { after: 5, concise: 'SHORT', repeats: 2, repetition: 'AGAIN', window: 6 }

describe('analysis', () => {
  test.each([
    { name: 'a young conversation gets nothing', history: talk('a', 'b'), says: 'new', sent: '' },
    { name: 'a long one gets a word about brevity', history: talk('a', 'b', 'c', 'd'), says: 'new', sent: 'SHORT' },
    { name: 'a repeated question', history: talk('Why?', 'b'), says: 'why', sent: 'AGAIN' },
    { name: 'a repeated answer', history: talk('a', 'Because.', 'c', 'because'), says: 'new', sent: 'SHORT\nAGAIN' },
    { name: 'the other side saying it is no repetition', history: talk('a', 'b'), says: 'b', sent: '' },
    { name: 'long ago is no repetition', history: talk('same', 'b', 'c', 'd', 'e', 'f'), says: 'same', sent: 'SHORT' },
  ])('$name', async ({ history, says, sent }) => {
    const model = scriptedModel(['done'])
    await createAgent({ model, use: [analysis(options)] })
      .conversation({ messages: history })
      .send(says)
    expect(model.prompts[0]?.instructions).toBe(sent)
  })
})
