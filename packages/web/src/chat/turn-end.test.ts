import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { WireTurn } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { TurnEnd } from './turn-end.tsx'

const drawn = (more: Partial<WireTurn>) =>
  renderToStaticMarkup(
    createElement(TurnEnd, { turn: { id: 't', seq: 1, parentId: null, status: 'running', startedAt: 0, ...more } }),
  )

test.each([
  { turn: { status: 'stopped', by: 'step-limit', reason: '5 steps' }, says: 'Stopped by step-limit: 5 steps' },
  { turn: { status: 'failed', reason: 'model.failed', error: 'No key.' }, says: 'Failed: No key.' },
  { turn: { status: 'interrupted', by: 'ada', reason: 'interrupted' }, says: 'Stopped on request' },
] as const)('$turn is told as "$says"', ({ turn, says }) => expect(drawn(turn)).toContain(`<span>${says}</span>`))

test.each(['completed', 'running'] as const)('a turn that is %s has no end to tell', status => {
  expect(drawn({ status })).toBe('')
})
