import { describe, expect, test } from 'vitest'
import {
  demand,
  type ErrorKind,
  interrupted,
  isHookError,
  isInterrupted,
  isStopped,
  kindOf,
  messageOf,
  nearest,
  TurnbuckleError,
} from './errors.ts'

test('demand throws the code and the fix where something does not fit', () => {
  expect(() => demand(1, 'a.b', 'Fix it.')).not.toThrow()
  expect(() => demand('', 'a.b', 'Fix it.')).toThrow(expect.objectContaining({ code: 'a.b', message: 'Fix it.' }))
})

test('an error knows its cause, its kind and its author', () => {
  const cause = new Error('below')
  const error = new TurnbuckleError('a.b', 'Off.', { cause, kind: 'hook', by: 'budget', at: 'beforeTool' })
  expect(error).toMatchObject({ name: 'TurnbuckleError', code: 'a.b', kind: 'hook', by: 'budget', at: 'beforeTool' })
  expect(error.cause).toBe(cause)
  expect('cause' in new TurnbuckleError('a.b', 'Off.')).toBe(false)
})

test('questions about an error', () => {
  const hook = new TurnbuckleError('hook.failed', 'Off.', { kind: 'hook' })
  const stops = ['generate.stopped', 'stage.stopped'].map(code => new TurnbuckleError(code, 'Off.'))
  expect([isHookError(hook), isHookError(interrupted()), isHookError(new Error('hook'))]).toEqual([true, false, false])
  expect([isInterrupted(interrupted()), isInterrupted(hook)]).toEqual([true, false])
  expect([...stops.map(isStopped), isStopped(hook)]).toEqual([true, true, false])
})

describe('messageOf', () => {
  const ring: Record<string, unknown> = {}
  ring['self'] = ring
  test.each<[unknown, string]>([
    [new Error('off'), 'off'],
    [{ message: 'plain' }, 'plain'],
    ['text', 'text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{ code: 7 }, '{"code":7}'],
    [ring, '[object Object]'],
  ])('of case %# is what was thrown, in words', (thrown, said) => {
    expect(messageOf(thrown)).toBe(said)
  })
})

test.each<[string, unknown, ErrorKind]>([
  ['its own kind', new TurnbuckleError('a.b', 'Off.', { kind: 'store' }), 'store'],
  ['status 429', { status: 429 }, 'rateLimit'],
  ['statusCode 429', { statusCode: 429 }, 'rateLimit'],
  ['the name TimeoutError', { name: 'TimeoutError' }, 'timeout'],
  ['none of these', new Error('off'), 'model'],
  ['nothing thrown', undefined, 'model'],
])('the kind of an error of the model stage with %s', (_what, error, kind) => {
  expect(kindOf(error, 'model')).toBe(kind)
})

test.each<[string, string | undefined]>([
  ['beforeTol', 'beforeTool'],
  ['BEFORETOOL', 'beforeTool'],
  ['aftermodel', 'afterModel'],
  ['xyz', undefined],
])('the nearest name to %s is %s', (word, name) => {
  expect(nearest(word, ['beforeTool', 'afterModel'])).toBe(name)
})
