import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { AuditRow } from './audit-row.tsx'

const entry = { id: '1', at: 0, by: 'ada', act: 'switched', what: 'approval', decision: 'off' } as const

test('a switch says whether it was for everyone or in one conversation', () => {
  expect(draw(AuditRow, { entry })).toContain('off for everyone')
  expect(draw(AuditRow, { entry: { ...entry, conversationId: 'c' } })).toContain('off in one conversation')
})

test('other acts say their decision alone', () => {
  const answered = { ...entry, act: 'answered', decision: 'allow', conversationId: 'c' } as const
  expect(draw(AuditRow, { entry: answered })).toContain('>allow</td>')
})
