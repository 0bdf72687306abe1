import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { WireExchange } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { ExchangeView } from './exchange-view.tsx'

const drawn = (attempt: number | undefined) =>
  renderToStaticMarkup(
    createElement(ExchangeView, {
      attempt,
      exchange: { model: 'm', sent: 'secret', received: 'r' } as WireExchange,
      onLoad: () => {},
    }),
  )

test('a call names its model, and its attempt where there were several', () => {
  expect(drawn(undefined)).toContain('<summary>sent to m, and what came back</summary>')
  expect(drawn(2)).toContain('attempt 2: sent to m')
})

test('what was sent is not on the page until somebody opens it', () => {
  expect(drawn(undefined)).not.toContain('secret')
})
