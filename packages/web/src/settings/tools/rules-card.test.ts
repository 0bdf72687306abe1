import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { RulesCard } from './rules-card.tsx'

const rules = { user: { allow: ['add'] }, project: { deny: ['shell'], allow: ['everything'] }, harmless: ['read_file'] }
const html = draw(RulesCard, { rules, change: async () => true })

test('the user’s rules can be removed, the project’s cannot', () => {
  expect(html).toContain('aria-label="Remove the rule add"')
  expect(html).toMatch(/data-fixed="true">.*shell.*the project’s/s)
  expect(html).not.toContain('Remove the rule shell')
})

test('what a project allows says nothing, and is not shown', () => {
  expect(html).not.toContain('everything')
})
