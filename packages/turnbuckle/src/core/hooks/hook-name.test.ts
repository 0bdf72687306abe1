import { expect, test } from 'vitest'
import { hookName, hookNames, isHookName } from './hook-name.ts'

test('a hook is named by its point and its stage', () => {
  expect(hookName('before', 'tool')).toBe('beforeTool')
  expect(hookName('after', 'factCheck')).toBe('afterFactCheck')
})

test('the names of some stages are three for each, and those that belong to no stage', () => {
  expect(hookNames(['tool'])).toEqual([
    'beforeTool',
    'wrapTool',
    'afterTool',
    'onChunk',
    'onError',
    'onEvent',
    'onOpen',
    'onTrace',
  ])
})

test.each(['beforeTool', 'wrapModerate', 'afterTurn', 'onChunk'])('%s is a name by the rule', name => {
  expect(isHookName(name)).toBe(true)
})

test.each(['before', 'beforetool', 'duringTool', 'onTool', 'afterwards'])('%s is none', name => {
  expect(isHookName(name)).toBe(false)
})
