import { expect, test } from 'vitest'
import { nullFields, unsetFields } from './unset-fields.ts'

test('an event that may have no parent has the field all the same', () => {
  expect(unsetFields('turn.started')).toStrictEqual({ parentId: undefined })
  expect(nullFields('turn.started')).toEqual({ parentId: null })
})

test('arguments that are not set are left out on the wire', () => {
  expect(unsetFields('tool.pending')).toStrictEqual({ args: undefined })
  expect(nullFields('tool.pending')).toEqual({})
})

test.each(['usage', 'search.done', 'toString'])('"%s" has no such fields', type => {
  expect([unsetFields(type), nullFields(type)]).toEqual([undefined, undefined])
})
