import { describe, expect, test } from 'vitest'
import {
  asMessage,
  asRecordable,
  asSaid,
  callsOf,
  encodedLength,
  type FilePart,
  isToolResult,
  type Message,
  type Part,
  plainMessage,
  type Role,
  resultMessage,
  textOf,
} from './message.ts'

const call = (id: string): Part => ({ type: 'call', id, name: 'look', args: {} })
const result = (id: string): Part => ({ type: 'result', id, name: 'look', status: 'ok', value: 1 })
const text = (said: string): Part => ({ type: 'text', text: said })

test('the text of a message is that of its text parts, joined', () => {
  expect(textOf({ content: [text('a'), call('c1'), { type: 'reasoning', text: 'hm' }, text('b')] })).toBe('ab')
  expect(textOf(undefined)).toBe('')
})

test('the calls of a message are those that it does not answer itself', () => {
  const content = [call('c1'), call('c2'), result('c1')]
  expect(callsOf({ content }).map(({ id }) => id)).toEqual(['c2'])
})

test.each<[unknown, boolean]>([
  [{ status: 'ok', value: 1 }, true],
  [{ status: 'denied', value: undefined }, true],
  [{ status: 'fine', value: 1 }, false],
  [{ status: 'toString', value: 1 }, false],
  [{ status: 'ok', value: 1, more: 2 }, false],
  [{ status: 'ok' }, false],
  [null, false],
])('%j is a result: %j', (value, is) => {
  expect(isToolResult(value)).toBe(is)
})

test('the message of a result has the call’s id and name, and arguments only where a person changed them', () => {
  const made = { type: 'call', id: 'c1', name: 'look', args: {} } as const
  const part = { type: 'result', id: 'c1', name: 'look', status: 'ok', value: 1 }
  expect(resultMessage('m1', made, { status: 'ok', value: 1 })).toEqual({ id: 'm1', role: 'tool', content: [part] })
  expect(resultMessage('m1', made, { status: 'ok', value: 1 }, { a: 1 }).content).toEqual([{ ...part, args: { a: 1 } }])
})

describe('asMessage', () => {
  test('reads text, parts, and messages with or without an id', () => {
    expect(asMessage('Hi', 'assistant', 'm1')).toEqual({ id: 'm1', role: 'assistant', content: [text('Hi')] })
    expect(asMessage([text('Hi')], 'user', 'm1')).toEqual({ id: 'm1', role: 'user', content: [text('Hi')] })
    expect(asMessage({ role: 'user', content: 'Hi' }, 'assistant', 'm1')).toMatchObject({ id: 'm1', role: 'user' })
  })

  test('gives back a message that is whole', () => {
    const message: Message = { id: 'own', role: 'user', content: [text('Hi')] }
    expect(asMessage(message, 'assistant', 'm1')).toBe(message)
  })

  test('leaves out empty texts, but for those with something for the provider', () => {
    const signed: Part = { type: 'text', text: '', meta: 'signature' }
    expect(asMessage([text(''), signed], 'assistant', 'm1').content).toEqual([signed])
    expect(asMessage('', 'assistant', 'm1').content).toEqual([])
  })

  test.each([null, 1, {}, { content: 5 }])('refuses %j', value => {
    expect(() => asMessage(value, 'user', 'm1')).toThrow(expect.objectContaining({ code: 'message.invalid' }))
  })
})

test.each<[Role, readonly Part[], boolean]>([
  ['user', [text('Hi')], true],
  ['user', [call('c1')], false],
  ['system', [result('c1')], false],
  ['assistant', [text('Hi'), call('c1'), result('c1')], true],
  ['tool', [result('c1')], true],
  ['tool', [text('Hi')], false],
])('a message of the role %s has only what its role may have: case %#', (role, content, fits) => {
  const read = () => asRecordable({ role, content }, 'user', 'm1')
  if (fits) expect(read()).toMatchObject({ role, content })
  else expect(read).toThrow(expect.objectContaining({ code: 'message.invalid' }))
})

test('a turn begins with a message of the user or the system', () => {
  expect(asSaid('Hi', 'm1').role).toBe('user')
  expect(asSaid({ role: 'system', content: 'Hi' }, 'm1').role).toBe('system')
  expect(() => asSaid({ role: 'assistant', content: 'Hi' }, 'm1')).toThrow('A turn begins with what a user says.')
})

test('bytes of a file become base64, a URL its address; any other message is given back', () => {
  const file = (data: FilePart['data']): FilePart => ({ type: 'file', mediaType: 'image/png', data })
  const of = (...content: Part[]): Message => ({ id: 'm1', role: 'user', content })
  const bytes = file(new Uint8Array([104, 105]))
  expect(plainMessage(of(bytes)).content).toEqual([file('aGk=')])
  expect(encodedLength(bytes)).toBe('aGk='.length)
  expect(plainMessage(of(file(new URL('https://example.com/a.png')))).content).toEqual([
    file('https://example.com/a.png'),
  ])
  const plain = of(text('Hi'), file('aGk='))
  expect(plainMessage(plain)).toBe(plain)
})
