import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { StartForm } from './start-form.tsx'

const fields = [
  { name: 'maxSteps', label: 'Most steps', unit: 1, min: 1 },
  { name: 'tools.shell', label: 'Commands', choices: { true: 'on', false: 'off' } },
]

test('a field says what counts until the next start, and what the project has fixed is not changed here', () => {
  const html = draw(StartForm, {
    title: 'Limits',
    fields,
    settings: {
      maxSteps: { value: 50, later: 20, from: 'user' },
      'tools.shell': { value: false, from: 'project', place: 'turnbuckle.config.json:3', fixed: true },
    },
    change: async () => true,
  })
  expect(html).toContain('Until the next start: 50')
  expect(html).toMatch(/<input[^>]*value="20"/)
  expect(html).toMatch(/<select id="start-tools.shell" disabled=""/)
  expect(html).toContain('Fixed by the project: turnbuckle.config.json:3')
})
