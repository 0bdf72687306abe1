import { expect, test } from 'vitest'
import { checkRequest, type Protocol } from './strict-requests.ts'

const call = (id: string, args = '{}') => ({ id, function: { name: 'f', arguments: args } })
const user = { role: 'user', content: 'hi' }
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'f', input })
const asked = { role: 'user', content: [{ type: 'text', text: 'hi' }] }

test.each<{ problem: string; protocol: Protocol; body: unknown }>([
  {
    problem: 'no result for a',
    protocol: 'chat',
    body: { messages: [user, { role: 'assistant', tool_calls: [call('a')] }, user] },
  },
  {
    problem: 'a result for a where none was due',
    protocol: 'chat',
    body: { messages: [{ role: 'tool', tool_call_id: 'a' }] },
  },
  {
    problem: 'where a was due',
    protocol: 'chat',
    body: {
      messages: [
        { role: 'assistant', tool_calls: [call('a'), call('b')] },
        { role: 'tool', tool_call_id: 'b' },
        { role: 'tool', tool_call_id: 'a' },
      ],
    },
  },
  {
    problem: 'the id a twice',
    protocol: 'chat',
    body: {
      messages: [
        { role: 'assistant', tool_calls: [call('a')] },
        { role: 'tool', tool_call_id: 'a' },
        { role: 'assistant', tool_calls: [call('a')] },
        { role: 'tool', tool_call_id: 'a' },
      ],
    },
  },
  {
    problem: 'no object as arguments',
    protocol: 'chat',
    body: {
      messages: [
        { role: 'assistant', tool_calls: [call('a', '{"x"')] },
        { role: 'tool', tool_call_id: 'a' },
      ],
    },
  },
  {
    problem: 'no result for a',
    protocol: 'responses',
    body: { input: [{ type: 'function_call', call_id: 'a', arguments: '{}' }] },
  },
  {
    problem: 'no result for a',
    protocol: 'anthropic',
    body: { messages: [asked, { role: 'assistant', content: [use('a')] }] },
  },
  {
    problem: 'no object as arguments',
    protocol: 'anthropic',
    body: {
      messages: [
        asked,
        { role: 'assistant', content: [use('a', '{')] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
      ],
    },
  },
  { problem: 'two user messages', protocol: 'anthropic', body: { messages: [asked, asked] } },
  {
    problem: 'no result for b',
    protocol: 'gemini',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'a', args: {} } }, { functionCall: { name: 'b', args: {} } }],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'a' } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'b' } }] },
      ],
    },
  },
])('the $protocol validator finds: $problem', ({ problem, protocol, body }) => {
  expect(() => checkRequest(protocol, body)).toThrow(problem)
})
