import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Reasoning } from './reasoning.tsx'

test.each([
  { props: { live: true }, says: 'Thinking …' },
  { props: { durationMs: 12_300 }, says: 'Thought for 12 s' },
  { props: { durationMs: 75_000 }, says: 'Thought for 1 m 15 s' },
  { props: {}, says: 'Reasoning' },
])('folded reasoning says "$says"', ({ props, says }) => {
  const drawn = renderToStaticMarkup(createElement(Reasoning, { text: '**Hm.**', ...props }))
  expect(drawn).toContain(`<summary>${says}</summary><p>**Hm.**</p>`)
})
