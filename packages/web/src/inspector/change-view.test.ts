import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { WireChange } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { ChangeView } from './change-view.tsx'

const drawn = (stage: string, what: string) =>
  renderToStaticMarkup(createElement(ChangeView, { stage, change: { what, before: 'a', after: 'b' } as WireChange }))

test.each([
  { stage: 'model', what: 'input', says: 'changed prompt' },
  { stage: 'tool', what: 'input', says: 'changed call' },
  { stage: 'own', what: 'input', says: 'changed input' },
  { stage: 'model', what: 'result', says: 'changed result' },
])('$what of $stage: "$says"', ({ stage, what, says }) => {
  expect(drawn(stage, what)).toContain(`<summary>${says}</summary>`)
})

test('the diff is not computed until somebody opens it', () => {
  expect(drawn('model', 'input')).not.toContain('<pre')
})
