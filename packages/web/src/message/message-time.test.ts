import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MessageTime } from './message-time.tsx'

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 10, 17, 12) }))
afterEach(() => vi.useRealTimers())

const shown = (at: Date) => renderToStaticMarkup(createElement(MessageTime, { at: at.getTime() }))

test('a message of today has its time, one of another day its date as well', () => {
  const time = new Date(2026, 10, 17, 9, 5).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  const day = new Date(2026, 10, 16).toLocaleDateString([], { day: 'numeric', month: 'short' })
  expect(shown(new Date(2026, 10, 17, 9, 5))).toContain(`>${time}<`)
  expect(shown(new Date(2026, 10, 16, 9, 5))).toContain(`>${day}, ${time}<`)
})

test('the whole of it is in the tooltip, and machine-readable', () => {
  const at = new Date(2026, 10, 16, 9, 5, 7)
  expect(shown(at)).toContain(`dateTime="${at.toISOString()}"`)
  expect(shown(at)).toContain(`title="${at.toLocaleString()}"`)
})
