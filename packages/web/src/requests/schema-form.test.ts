import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import SchemaForm from './schema-form.tsx'

const drawn = (payload: unknown, busy = false) =>
  renderToStaticMarkup(createElement(SchemaForm, { kind: 'choice', payload, busy, answer: () => {} })).replace(
    /<svg.*?<\/svg>/g,
    '',
  )

test.each([
  { payload: { question: 'Which one?' }, says: 'Which one?' },
  { payload: { message: 'Say so.' }, says: 'Say so.' },
  { payload: 'Just a text.', says: 'Just a text.' },
  { payload: undefined, says: 'The agent asks: choice' },
])('$payload is asked as "$says"', ({ payload, says }) => {
  expect(drawn(payload)).toContain(`<h2> ${says}</h2>`)
})

test('a question without words shows what it came with', () => {
  expect(drawn({ amount: 5 })).toContain('&quot;amount&quot;: 5')
  expect(drawn({ question: 'Pay?', amount: 5 })).not.toContain('amount')
})

test('each member of the schema is a field, and an answer that is on its way is not given twice', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' }, sure: { type: 'boolean' } } }
  const html = drawn({ question: 'Who?', schema }, true)
  expect(html).toContain('name')
  expect(html).toContain('type="checkbox"')
  expect(html).toMatch(/type="submit"[^>]*disabled=""/)
})
