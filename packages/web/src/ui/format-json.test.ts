import { expect, test } from 'vitest'
import { formatJson } from './format-json.ts'

test.each([
  { value: 'a "quoted" text', is: 'a "quoted" text' },
  { value: { a: [1] }, is: '{\n  "a": [\n    1\n  ]\n}' },
  { value: null, is: 'null' },
  { value: undefined, is: '' },
])('$value is written as $is', ({ value, is }) => expect(formatJson(value)).toBe(is))
