import { createElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { useMessageWindow } from './use-message-window.ts'

const Hidden = ({ length }: { readonly length: number }): ReactNode =>
  createElement('p', undefined, useMessageWindow(length).hidden)

test.each([
  { length: 10, hidden: 0 },
  { length: 300, hidden: 0 },
  { length: 1000, hidden: 700 },
])('of $length messages the first $hidden are not drawn at first', ({ length, hidden }) => {
  expect(draw(Hidden, { length })).toBe(`<p>${hidden}</p>`)
})
