import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { Markdown } from './markdown.tsx'
import noRawHtml from './no-raw-html.ts'

test('HTML in a model’s text is not parsed: no element of it comes to the page', () => {
  expect(noRawHtml()).toBeUndefined()
  expect(draw(Markdown, { text: 'before <img src=x onerror=alert(1)> after' })).not.toContain('<img')
})
