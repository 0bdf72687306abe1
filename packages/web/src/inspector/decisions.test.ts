import type { WireTurn } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { runningTurnOf } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { Decisions } from './decisions.tsx'

test.each<{ more: Partial<WireTurn>; says: string }>([
  { more: {}, says: 'Still running.' },
  { more: { status: 'completed', by: 'model', reason: 'done' }, says: 'Ended as completed by model: done' },
  {
    more: { status: 'failed', reason: 'model.failed', error: 'No key.' },
    says: 'Ended as failed: No key.',
  },
])('$more is told as "$says"', ({ more, says }) => {
  expect(draw(Decisions, { turn: { ...runningTurnOf('t', null), ...more } })).toContain(says)
})
