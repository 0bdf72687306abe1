import { expect, test } from 'vitest'
import { nextMode, permissionMode } from './permission-mode.ts'

const edit = (path: string, name = 'write_file') => ({ name, args: { path } })

test('Shift-Tab goes round', () => {
  expect([nextMode('ask'), nextMode('accept edits'), nextMode('plan')]).toEqual(['accept edits', 'plan', 'ask'])
})

test.each([
  { payload: edit('src/a.ts'), accepts: true },
  { payload: edit('src/a.ts', 'edit_file'), accepts: true },
  { payload: { name: 'shell', args: { command: 'ls' } }, accepts: false },
  { payload: edit('.git/hooks/pre-commit'), accepts: false },
  { payload: edit('./sub/.git/config'), accepts: false },
  { payload: edit('turnbuckle.config.json'), accepts: false },
  { payload: edit('.turnbuckle/commands/x.md'), accepts: false },
  { payload: edit('.env.local'), accepts: false },
  { payload: edit('AGENTS.md'), accepts: false },
  { payload: undefined, accepts: false },
])('accept edits takes $payload: $accepts', ({ payload, accepts }) => {
  const mode = permissionMode()
  expect(mode.accepts(payload)).toBe(false)
  mode.current = 'accept edits'
  expect(mode.accepts(payload)).toBe(accepts)
})
