import { expect, test } from 'vitest'
import { conversation, runningTurnOf } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { Composer } from './composer.tsx'

const draft = (text: string) => ({ text, files: [], pastes: [] })
const busy = conversation({ turns: [runningTurnOf('t', null)] })

test('an empty draft cannot be sent; words can', () => {
  expect(draw(Composer, {})).toMatch(/aria-label="Send"[^>]*disabled=""/)
  expect(draw(Composer, {}, { draft: draft('hi') })).not.toMatch(/aria-label="Send"[^>]*disabled=""/)
})

test('while a turn runs the primary button stops it; words can be said to it, or sent after it', () => {
  const html = draw(Composer, {}, { openId: 'c', conversation: busy, draft: draft('wait') })
  expect(html).toMatch(/class="icon-button send stop" aria-label="Stop \(ESC ESC\)"/)
  expect(html).toContain('Say it to the running turn')
  expect(html).toMatch(/title="Alt\+Enter"[^>]*>After</)
})

test('it is busy while a message is on its way', () => {
  expect(draw(Composer, {}, { sending: true })).toContain('<div class="composer" aria-busy="true">')
  expect(draw(Composer, {})).toContain('<div class="composer" aria-busy="false">')
})
