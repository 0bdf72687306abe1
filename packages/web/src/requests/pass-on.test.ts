import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PassOn } from './pass-on.tsx'

const drawn = (...delegates: string[]) =>
  renderToStaticMarkup(createElement(PassOn, { delegates, busy: false, answer: () => {} }))

test('the people it may go to are named; everybody is nobody in particular', () => {
  const html = drawn('ada', 'bob')
  expect(html).toContain('placeholder="Pass it on to: ada, bob"')
  expect([...html.matchAll(/<option value="(\w+)"/g)].map(([, name]) => name)).toEqual(['ada', 'bob'])
  expect(drawn('*')).toContain('placeholder="Pass it on to"')
  expect(drawn('*')).not.toContain('<option')
})

test('it is passed on to nobody until somebody is named', () => {
  expect(drawn('*')).toMatch(/<button[^>]*disabled=""[^>]*>Pass on/)
})
