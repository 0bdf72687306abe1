import { expect, test } from 'vitest'
import { cleanData } from './clean-data.ts'

const clean = (text: string): string => text.replaceAll('4111', '[card]')

test('data without a find is the same object, and so are its parts beside one', () => {
  const part = { text: 'no find' }
  expect(cleanData(part, clean)).toBe(part)
  const cleaned = cleanData([part, { text: '4111' }], clean) as unknown[]
  expect(cleaned).toEqual([part, { text: '[card]' }])
  expect(cleaned[0]).toBe(part)
})

test('what is no plain data is left as it is', () => {
  const bytes = new Uint8Array([41, 11])
  expect(cleanData({ bytes, at: undefined }, clean)).toEqual({ bytes, at: undefined })
})
