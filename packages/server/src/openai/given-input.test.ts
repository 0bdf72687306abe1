import { expect, test } from 'vitest'
import { givenInput, type SentItem } from './given-input.ts'

test('system and developer messages are instructions, the last message is the question', () => {
  const given = givenInput([
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'Hi' },
    { role: 'developer', content: [{ type: 'input_text', text: 'No jokes.' }] },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'Well?' },
  ])
  expect(given.instructions).toBe('Be short.\n\nNo jokes.')
  expect(given.history.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(given.question).toEqual([{ type: 'text', text: 'Well?' }])
})

test('calls and results of a history from elsewhere are read; arguments that are no JSON stay text', () => {
  const calls = ['{"city":"Oslo"}', '{"city":'].map((text, i) => ({
    id: `c${i}`,
    function: { name: 'weather', arguments: text },
  }))
  const { history } = givenInput([
    { role: 'user', content: 'Umbrella?' },
    { role: 'assistant', content: null, tool_calls: calls },
    { role: 'tool', tool_call_id: 'c0', content: 'Sunny' },
    { type: 'reasoning', content: null },
    { role: 'user', content: 'And now?' },
  ])
  expect(history[1]?.content).toEqual([
    { type: 'call', id: 'c0', name: 'weather', args: { city: 'Oslo' } },
    { type: 'call', id: 'c1', name: 'weather', args: '{"city":' },
  ])
  expect(history[2]?.content).toEqual([{ type: 'result', id: 'c0', name: 'tool', status: 'ok', value: 'Sunny' }])
  expect(history).toHaveLength(3)
})

test.each([
  { type: 'image_url', image_url: { url: 'data:image/png;base64,eA==' } },
  { type: 'input_image', image_url: 'data:image/png;base64,eA==' },
  { type: 'input_file', file_data: 'data:image/png;base64,eA==', filename: 'x.png' },
  { type: 'file', file: { file_data: 'data:image/png;base64,eA==', filename: 'x.png' } },
])('a file that is sent as $type is a file', part => {
  const { question } = givenInput([{ role: 'user', content: [part] }])
  expect(question).toEqual([expect.objectContaining({ type: 'file', mediaType: 'image/png', data: 'eA==' })])
})

test.each<[string, readonly SentItem[], RegExp]>([
  ['no message', [], /last message must be a user/],
  ['a reply last', [{ role: 'assistant', content: 'Hi' }], /last message must be a user/],
  ['an unknown role', [{ role: 'robot', content: 'Hi' }], /robot cannot be read/],
  ['an unknown item', [{ type: 'web_search_call' }], /web_search_call cannot be read/],
  ['an unknown part', [{ role: 'user', content: [{ type: 'input_audio' }] }], /"input_audio" cannot be read/],
  ['an address', [{ role: 'user', content: [{ type: 'input_image', image_url: 'http://x/a.png' }] }], /data URLs/],
])('%s is refused', (_name, items, message) => {
  expect(() => givenInput(items)).toThrow(message)
})
