import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LabelledField } from './labelled-field.tsx'

const draw = (more: { lines?: number; readOnly?: boolean }) =>
  renderToStaticMarkup(createElement(LabelledField, { label: 'Program', value: 'npx', write: () => {}, ...more }))

test('a field is named by its label', () => {
  const [, id] = /<label class="field-label" for="([^"]+)">Program/.exec(draw({})) ?? []
  expect(draw({})).toContain(`<input id="${id}"`)
})

test('several lines are a box for lines, and what is fixed cannot be written', () => {
  expect(draw({ lines: 3 })).toMatch(/<textarea rows="3"[^>]*>npx<\/textarea>/)
  expect(draw({ readOnly: true })).toContain('readOnly=""')
})
