import { expect, test } from 'vitest'
import { runningTurnOf } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { Timeline } from './timeline.tsx'

test('a turn of which nothing was heard yet waits for its first stage', () => {
  expect(draw(Timeline, { turn: runningTurnOf('t', null) })).toContain('Waiting for the first stage …')
})
