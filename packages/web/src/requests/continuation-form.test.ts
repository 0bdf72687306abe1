import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ContinuationForm } from './continuation-form.tsx'

test.each([
  { payload: { limit: 'steps', used: 5, more: 5 }, says: '5 steps are used. Go on with 5 more?' },
  { payload: { limit: 'steps', used: 1, more: 1 }, says: 'One step is used. Go on with 1 more?' },
  { payload: { limit: 'cost', used: 2 }, says: '2 dollars are used. Go on?' },
  { payload: { limit: 'cost', used: 'unknown' }, says: 'What this has cost so far is not known. Go on?' },
  { payload: { limit: 'bananas', used: 2 }, says: '2 bananas are used. Go on?' },
  { payload: undefined, says: 'All steps are used. Go on?' },
])('$payload asks "$says"', ({ payload, says }) => {
  const form = createElement(ContinuationForm, { payload, busy: false, answer: () => {} })
  expect(renderToStaticMarkup(form)).toContain(`<p>${says}</p>`)
})
