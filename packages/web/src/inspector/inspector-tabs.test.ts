import { expect, test } from 'vitest'
import { inspectorTabs } from './inspector-tabs.ts'

test('what one turn did comes before what the whole agent has', () => {
  expect(Object.values(inspectorTabs).map(({ label, of }) => `${label}: ${of}`)).toEqual([
    'Timeline: turn',
    'Who decided: turn',
    'Middleware: agent',
    'Permissions: agent',
  ])
})
