import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkInput } from './check-input.ts'

const schema = z.object({ title: z.string(), page: z.object({ limit: z.coerce.number() }) })

test('the parsed value is given', () => {
  expect(checkInput(schema, { title: 'x', page: { limit: '3' } }, 'body.invalid')).toEqual({
    title: 'x',
    page: { limit: 3 },
  })
})

test('an error has the code, and every problem with its path', () => {
  const check = () => checkInput(schema, { page: { limit: 'many' } }, 'query.invalid')
  expect(check).toThrow(expect.objectContaining({ code: 'query.invalid' }))
  expect(check).toThrow(/title: .*page\.limit: /)
})

test('without a schema there is no input', () => {
  expect(checkInput(undefined, { any: 1 }, 'body.invalid')).toBeUndefined()
})
