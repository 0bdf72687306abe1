import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextMode, permissionMode } from './permission-mode.ts'

const root = mkdtempSync(join(tmpdir(), 'turnbuckle-mode-'))
beforeAll(() => {
  for (const folder of ['store/hooks', 'src']) mkdirSync(join(root, folder), { recursive: true })
  symlinkSync('store', join(root, '.git'))
  symlinkSync('../store/hooks', join(root, 'src/hooks'))
  symlinkSync('../AGENTS.md', join(root, 'src/notes.md'))
  symlinkSync('../src', join(root, 'src/same'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

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
  { payload: edit('.GIT/hooks/pre-commit'), accepts: false },
  { payload: edit('.vscode/tasks.json'), accepts: false },
  { payload: edit('.npmrc'), accepts: false },
  { payload: edit('src/.gitignore'), accepts: true },
  { payload: edit('src/same/a.ts'), accepts: true },
  { payload: edit('src/hooks/pre-commit'), accepts: false },
  { payload: edit('store/hooks/pre-commit'), accepts: false },
  { payload: undefined, accepts: false },
])('accept edits takes $payload: $accepts', ({ payload, accepts }) => {
  const mode = permissionMode(root)
  expect(mode.accepts(payload)).toBe(false)
  mode.current = 'accept edits'
  expect(mode.accepts(payload)).toBe(accepts)
})

test('a project may lie in a folder whose files are asked about', () => {
  const inside = join(root, 'node_modules/own')
  mkdirSync(inside, { recursive: true })
  const mode = permissionMode(inside)
  mode.current = 'accept edits'
  const asked = ['src/a.ts', join(inside, 'src/a.ts'), join(inside, '.env'), join(root, '.git/config')]
  expect(asked.map(path => mode.accepts(edit(path)))).toEqual([true, true, false, false])
})
