import type { Message } from 'turnbuckle'
import { expect, test } from 'vitest'
import { promptDifference } from './prompt-difference.ts'

const said = (id: string, text: string): Message => ({ id, role: 'user', content: [{ type: 'text', text }] })
const prompt = (messages: readonly Message[], instructions = '') =>
  ({ messages, instructions, params: { temperature: 1 }, tools: [] }) as never

test('another message is told by its place and text', () => {
  const then = [said('a', 'one'), said('b', 'two')]
  expect(promptDifference('messages', prompt([said('a', 'one'), said('b', 'three')]), then, {} as never)).toBe(
    'message 1 is now: three',
  )
})

test('messages that are missing at the end are told by their number', () => {
  expect(
    promptDifference('messages', prompt([said('a', 'one')]), [said('a', 'one'), said('b', 'two')], {} as never),
  ).toBe('then it had 2 messages, now 1')
})

test('instructions and parameters are told as they are now', () => {
  expect(promptDifference('instructions', prompt([], 'Be kind.'), [], {} as never)).toBe(
    'its instructions are now "Be kind."',
  )
  expect(promptDifference('params', prompt([]), [], {} as never)).toBe('its params are now {"temperature":1}')
})
