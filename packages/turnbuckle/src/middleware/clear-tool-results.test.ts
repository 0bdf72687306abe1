import { createAgent, type NewMessage } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type ClearToolResultsOptions, clearToolResults } from './clear-tool-results.ts'

const exchange = (id: string, name: string): NewMessage[] => [
  { role: 'user', content: id },
  { role: 'assistant', content: [{ type: 'call', id, name, args: {} }] },
  { role: 'tool', content: [{ type: 'result', id, name, status: 'ok', value: `${id} `.repeat(50) }] },
  { role: 'assistant', content: 'seen' },
]
const history = [...exchange('one', 'read'), ...exchange('two', 'plan'), ...exchange('three', 'read')]

async function results(options: ClearToolResultsOptions) {
  const model = scriptedModel(['done'])
  const chat = createAgent({ model, use: [clearToolResults(options)] }).conversation({ messages: history })
  await chat.send('now')
  const values = (messages: readonly NewMessage[]) =>
    messages.flatMap(({ role, content }) =>
      role === 'tool' && typeof content !== 'string'
        ? content.map(part => part.type === 'result' && String(part.value))
        : [],
    )
  return {
    sent: values(model.prompts[0]?.messages ?? []).map(value => String(value).slice(0, 5)),
    kept: values(chat.messages),
  }
}

describe('clearToolResults', () => {
  test.each<{ name: string; options: ClearToolResultsOptions; sent: string[] }>([
    { name: 'nothing is cleared in a small prompt', options: {}, sent: ['one o', 'two t', 'three'] },
    { name: 'the newest stay', options: { over: 10, keep: 1 }, sent: ['[old ', '[old ', 'three'] },
    { name: 'none may stay', options: { over: 10, keep: 0 }, sent: ['[old ', '[old ', '[old '] },
    {
      name: 'a tool can be left out',
      options: { over: 10, keep: 1, except: ['plan'] },
      sent: ['[old ', 'two t', 'three'],
    },
    { name: 'fewer than are kept', options: { over: 10, keep: 9 }, sent: ['one o', 'two t', 'three'] },
    {
      name: 'another placeholder',
      options: { over: 10, keep: 2, placeholder: 'gone' },
      sent: ['gone', 'two t', 'three'],
    },
  ])('$name', async ({ options, sent }) => {
    const found = await results(options)
    expect(found.sent).toEqual(sent)
    expect(found.kept.every(value => String(value).length > 100)).toBe(true)
  })
})
