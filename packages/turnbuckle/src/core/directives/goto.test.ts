import { goto, pipeline } from 'turnbuckle'
import { expect, test } from 'vitest'

test('a jump to a stage has its name as value and reason', () => {
  expect(goto('model')).toMatchObject({ type: 'goto', value: 'model', reason: 'model' })
})

test('a jump to a pipeline carries the pipeline', () => {
  const other = pipeline()
  expect(goto(other)).toMatchObject({ type: 'goto', reason: 'another pipeline' })
  expect(goto(other).value).toBe(other)
})

test.each([undefined, null, 3, {}])('%j is no target', target => {
  expect(() => goto(target as never)).toThrow(expect.objectContaining({ code: 'goto.target' }))
})
