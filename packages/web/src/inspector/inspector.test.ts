import { expect, test } from 'vitest'
import { conversation, runningTurnOf } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import Inspector from './inspector.tsx'

test('without a turn it says what to do', () => {
  expect(draw(Inspector, {})).toContain('No turn yet. Send a message and watch it here.')
})

test('the newest turn is chosen, unless the person has chosen another', () => {
  const open = conversation({ turns: [runningTurnOf('t1', null), runningTurnOf('t2', null)] })
  const shown = (turnId?: string) =>
    draw(Inspector, {}, { conversation: open, inspected: { tab: 'decisions', turnId } })
  expect(shown()).toMatch(/<option value="t2" selected="">Turn 2/)
  expect(shown('t1')).toMatch(/<option value="t1" selected="">Turn 1/)
})
