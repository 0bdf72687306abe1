import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SaidText } from './said-text.tsx'

const drawn = (text: string) => renderToStaticMarkup(createElement(SaidText, { text }))

test('a text that would be folded as a paste shows its beginning, and how much there is', () => {
  const lines = drawn(Array.from({ length: 300 }, (_, i) => `line ${i}`).join('\n'))
  expect(lines).toContain('line 11 …</p>')
  expect(lines).toContain('aria-expanded="false">Show all 300 lines</button>')
  expect(drawn('word '.repeat(1000))).toContain('Show all 5,000 characters')
})

test('a short text is one piece, and a paste of 200 kB is not drawn whole at once', () => {
  expect(drawn('a\nb')).toBe('<p class="said">a\nb</p>')
  expect(drawn('a line of a log\n'.repeat(13_000)).length).toBeLessThan(12_000)
})
