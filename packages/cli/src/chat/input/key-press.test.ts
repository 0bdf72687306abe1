import { expect, test } from 'vitest'
import { keyName, readSequence } from './key-press.ts'

test.each([
  { body: '[A', key: 'up' },
  { body: 'OA', key: 'up' },
  { body: '[1~', key: 'home' },
  { body: '[3~', key: 'delete' },
  { body: '[Z', key: 'shift-tab' },
  { body: '\r', key: 'alt-enter' },
  { body: 'b', key: 'alt-b' },
  { body: '\x7f', key: 'alt-backspace' },
  { body: '[1;5C', key: 'word-right' },
  { body: '[1;3D', key: 'word-left' },
  { body: '[1;2A', key: 'up' },
  { body: '[3;5~', key: 'delete' },
  { body: '[99~', key: 'unknown' },
])('xterm: ESC $body is $key', ({ body, key }) => {
  expect(keyName(readSequence(body))).toBe(key)
})

test.each([
  { body: '[13u', key: 'enter' },
  { body: '[13;2u', key: 'newline' },
  { body: '[13;5u', key: 'newline' },
  { body: '[13;3u', key: 'alt-enter' },
  { body: '[57414u', key: 'enter' },
  { body: '[9;2u', key: 'shift-tab' },
  { body: '[27u', key: 'escape' },
  { body: '[99;5u', key: 'ctrl-c' },
  { body: '[67;6u', key: 'ctrl-c' },
  { body: '[98;3u', key: 'alt-b' },
  { body: '[127;5u', key: 'alt-backspace' },
  { body: '[97:65;2:1u', key: 'text' },
  { body: '[57358u', key: 'unknown' },
  { body: '[?1u', key: 'kitty-offered' },
  { body: '[27;2;13~', key: 'newline' },
])('kitty: ESC $body is $key', ({ body, key }) => {
  expect(keyName(readSequence(body))).toBe(key)
})

test('a letter that the kitty protocol tells by its number is typed', () => {
  expect(readSequence('[228u')).toEqual({ name: 'text', text: 'ä' })
})
