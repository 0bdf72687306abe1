import { expect, test } from 'vitest'
import type { Message } from '../../core/base/message.ts'
import { promptFingerprint } from './prompt-fingerprint.ts'

const message: Message = { id: 'm', role: 'user', content: [{ type: 'text', text: 'Go.' }] }

test('a prompt that no hook has changed has an empty fingerprint', () => {
  expect(promptFingerprint({})).toEqual({})
})

test('each changed part has a hash of 22 characters; the model is named', () => {
  const print = promptFingerprint({ messages: [message], instructions: 'Be kind.', params: {}, model: 'small' })
  expect(print).toEqual({
    messages: expect.stringMatching(/^[\w-]{22}$/),
    instructions: expect.stringMatching(/^[\w-]{22}$/),
    params: expect.stringMatching(/^[\w-]{22}$/),
    model: 'small',
  })
})

test('the order of keys does not count, a value does', () => {
  const hash = (params: Record<string, unknown>) => promptFingerprint({ params }).params
  expect(hash({ temperature: 1, seed: 2 })).toBe(hash({ seed: 2, temperature: 1 }))
  expect(hash({ temperature: 1 })).not.toBe(hash({ temperature: 0 }))
})
