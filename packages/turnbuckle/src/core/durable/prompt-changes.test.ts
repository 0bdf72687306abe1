import { expect, test } from 'vitest'
import type { Message } from '../base/message.ts'
import type { Prompt } from '../base/ports.ts'
import { promptChanges } from './prompt-changes.ts'

const say = (text: string, id = text): Message => ({ id, role: 'user', content: [{ type: 'text', text }] })
const path = [say('Hi.')]
const prompt: Prompt = { messages: path, tools: [], instructions: 'Be kind.', params: {} }

test.each<{ what: string; sent: Partial<Prompt>; changes: unknown }>([
  { what: 'nothing', sent: {}, changes: {} },
  { what: 'an id', sent: { messages: [say('Hi.', 'other')] }, changes: {} },
  { what: 'a message', sent: { messages: [say('Ho.')] }, changes: { messages: [['user', say('Ho.').content]] } },
  {
    what: 'added instructions',
    sent: { instructions: 'Be kind.\n\nBe brief.' },
    changes: { instructions: 'Be brief.' },
  },
  { what: 'other instructions', sent: { instructions: 'Be.' }, changes: { instructions: 'Be.' } },
  { what: 'a parameter', sent: { params: { temperature: 0 } }, changes: { params: { temperature: 0 } } },
])('a hook that changed $what', ({ sent, changes }) => {
  expect(promptChanges({ ...prompt, ...sent }, path, 'Be kind.')).toEqual(changes)
})

test('messages that follow the path are not read', () => {
  const unread = {
    ...prompt,
    get messages(): never {
      throw new Error('They were read.')
    },
  }
  expect(promptChanges(unread, undefined, 'Be kind.')).toEqual({})
})
