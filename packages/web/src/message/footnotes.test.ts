import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Footnotes } from './footnotes.tsx'

test('each note has its number, its text as it is drawn, and a way back', () => {
  const notes = [
    { number: 1, text: 'one' },
    { number: 3, text: 'three' },
  ]
  const draw = (text: string) => text.toUpperCase()
  const html = renderToStaticMarkup(createElement(Footnotes, { notes, draw } as never))
  expect(html).toMatch(
    /<li value="3" data-note="3" tabindex="-1">THREE<button[^>]*aria-label="Back to the reference of footnote 3"/,
  )
  expect(html.match(/<li /g)).toHaveLength(2)
})
