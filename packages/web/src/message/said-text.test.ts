import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SaidText } from './said-text.tsx'

const drawn = (text: string) => renderToStaticMarkup(createElement(SaidText, { text }))

test('a short text is one piece, and a paste of 200 kB is not drawn whole at once', () => {
  expect(drawn('a\nb')).toBe('<p class="said">a\nb</p>')
  expect(drawn('a line of a log\n'.repeat(13_000)).length).toBeLessThan(12_000)
})
