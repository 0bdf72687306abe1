import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OutcomeForm } from './outcome-form.tsx'

const drawn = (payload: unknown, busy = false) =>
  renderToStaticMarkup(createElement(OutcomeForm, { payload, busy, answer: () => {} }))

test('the call is named with its arguments, and every answer says its effect', () => {
  const html = drawn({ name: 'pay', args: { euros: 5 } })
  expect(html).toContain('Did <code class="inline-code">pay</code> happen?')
  expect(html).toContain('&quot;euros&quot;: 5')
  expect([...html.matchAll(/aria-describedby="outcome-(\w+)"/g)].map(([, outcome]) => outcome)).toEqual([
    'happened',
    'not',
    'stop',
  ])
})

test('while an answer is on its way there is no second one', () => {
  expect(drawn({}, true).match(/disabled=""/g)).toHaveLength(3)
  expect(drawn(undefined)).toContain('the tool')
})
