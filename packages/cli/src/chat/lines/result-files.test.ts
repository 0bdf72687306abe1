import { expect, test } from 'vitest'
import { resultFiles, resultText } from './result-files.ts'

const image = { type: 'file', mediaType: 'image/png', data: 'AAAA'.repeat(500) }

test.each([
  { result: 'plain', files: 0, text: 'plain' },
  { result: { sum: 5 }, files: 0, text: '{\n  "sum": 5\n}' },
  { result: image, files: 1, text: '⎘ image/png, 1.5k bytes' },
  { result: ['Here:', { ...image, name: 'a.png' }], files: 1, text: 'Here:\n⎘ a.png, image/png, 1.5k bytes' },
  { result: [{ ...image, data: 'https://example.org/a.png' }], files: 1, text: '⎘ image/png' },
  { result: undefined, files: 0, text: '' },
])('the result $text has $files files', ({ result, files, text }) => {
  expect([resultFiles(result).length, resultText(result)]).toEqual([files, text])
})
