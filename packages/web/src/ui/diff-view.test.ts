import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DiffView } from './diff-view.tsx'

test('each line says its kind, and has no markup of its own', () => {
  const lines = [
    { kind: 'gone', text: '<b>old</b>' },
    { kind: 'new', text: 'new' },
    { kind: 'same', text: '' },
  ] as const
  const html = renderToStaticMarkup(createElement(DiffView, { lines }))
  expect([...html.matchAll(/data-kind="(\w+)">([^<]*)\n/g)].map(([, kind, text]) => [kind, text])).toEqual([
    ['gone', '&lt;b&gt;old&lt;/b&gt;'],
    ['new', 'new'],
    ['same', ''],
  ])
})

test('long changes can be scrolled with the keyboard', () => {
  expect(renderToStaticMarkup(createElement(DiffView, { lines: [] }))).toContain('tabindex="0"')
})
