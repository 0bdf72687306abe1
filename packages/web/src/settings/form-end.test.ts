import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FormEnd } from './form-end.tsx'

const draw = (problem: string | undefined) =>
  renderToStaticMarkup(createElement(FormEnd, { problem, save: 'Save', cancel: () => {} }))

test('a problem is told as an alert, and nothing where there is none', () => {
  expect(draw('No name.')).toContain('role="alert" data-works="false">No name.</p>')
  expect(draw(undefined)).not.toContain('alert')
})

test('only the first button submits', () => {
  expect(draw(undefined)).toMatch(/type="submit"[^>]*>Save<.*type="button"[^>]*>Cancel</)
})
