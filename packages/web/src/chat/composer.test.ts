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

const asked = (kind: string, payload: object) =>
  conversation({
    turns: [runningTurnOf('t', null)],
    requests: [{ id: 'r', kind, payload, turnId: 't', openedAt: 0 }],
  })
const schema = { type: 'object', properties: { boat: { type: 'string' } } }

test.each([
  { kind: 'permission', payload: {}, says: 'Why not? Sending denies', send: 'Deny with this reason' },
  {
    kind: 'clarification',
    payload: { question: 'Which?', schema },
    says: 'Your answer …',
    send: 'Answer the question',
  },
])('while a $kind waits, the box and its button say that words answer it', ({ kind, payload, says, send }) => {
  const html = draw(Composer, {}, { openId: 'c', conversation: asked(kind, payload), draft: draft('no') })
  expect(html).toContain(`placeholder="${says}"`)
  expect(html).toContain(`aria-label="${send}"`)
  expect(html).not.toContain('>After<')
})

test('an A that is sent allows, and the button says so', () => {
  const html = draw(Composer, {}, { openId: 'c', conversation: asked('permission', {}), draft: draft('A') })
  expect(html).toContain('aria-label="Allow once"')
})

test('a question that only its form answers leaves the words to the running turn', () => {
  const html = draw(Composer, {}, { openId: 'c', conversation: asked('outcome', {}), draft: draft('wait') })
  expect(html).toContain('placeholder="Say something …"')
  expect(html).toContain('>After<')
})

test('it is busy while a message is on its way', () => {
  expect(draw(Composer, {}, { sending: true })).toContain('<div class="composer" aria-busy="true">')
  expect(draw(Composer, {})).toContain('<div class="composer" aria-busy="false">')
})
