import { expect, test } from 'vitest'
import { conversation } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { ModelChip } from './model-chip.tsx'

const models = { default: 'offline', models: [{ id: 'offline', offline: true as const }, { id: 'some/other' }] }

test('the offline model is marked as what it is', () => {
  const html = draw(ModelChip, {}, { models })
  expect(html).toContain('aria-label="Model: offline a script, no AI. Change"')
  expect(html).toContain('a script, no AI</span>')
})

test('a conversation’s own model is named without its provider, with a dot where it has more of its own', () => {
  const settings = { model: 'some/other', instructions: 'Be brief.' }
  const html = draw(ModelChip, {}, { models, openId: 'c', conversation: conversation({ settings }) })
  expect(html).toContain('<span>other ·</span>')
})

test('it is absent until the models are known, and for whoever may only read', () => {
  expect(draw(ModelChip, {})).toBe('')
  const list = [{ id: 'c', access: 'read' }] as never
  expect(draw(ModelChip, {}, { models, openId: 'c', list })).toBe('')
})
