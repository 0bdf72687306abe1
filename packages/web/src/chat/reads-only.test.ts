import { expect, test } from 'vitest'
import { conversation } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { ReadsOnly } from './reads-only.tsx'

test('it says whose conversation it is, also of a sub-agent’s, which is in no list', () => {
  const list = [{ id: 'c', owner: 'ada', access: 'read' }] as never
  expect(draw(ReadsOnly, {}, { openId: 'c', list })).toContain('ada shares this conversation with you to read.')
  const open = { ...conversation({}), owner: 'bob', access: 'read' } as const
  expect(draw(ReadsOnly, {}, { openId: 's', list, conversation: open })).toContain('bob shares')
})

test('a viewer who has opened none is told what a viewer does', () => {
  expect(draw(ReadsOnly, {}, { list: [] })).toContain('You are a viewer here')
})
