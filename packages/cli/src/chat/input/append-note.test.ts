import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChatSession } from '../session/chat-session.ts'
import { appendNote } from './append-note.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'turnbuckle-note-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function note(text: string, folder = root) {
  const said: string[] = []
  appendNote(
    { composed: { loaded: { root: folder } }, say: (line: string) => said.push(line) } as unknown as ChatSession,
    text,
  )
  return said
}
const file = () => readFileSync(join(root, 'AGENTS.md'), 'utf8')

test('a note makes the file, or is added on a line of its own', () => {
  expect(note('use tabs')).toEqual(['Noted in AGENTS.md: use tabs'])
  note('no semicolons')
  expect(file()).toBe('- use tabs\n- no semicolons\n')
  writeFileSync(join(root, 'AGENTS.md'), '# Rules')
  note('test first')
  expect(file()).toBe('# Rules\n- test first\n')
})

test('a note that cannot be written says why', () => {
  expect(note('x', join(root, 'none'))[0]).toMatch(/^The note could not be written: ENOENT/)
})

test('a note does not follow a link out of the project', () => {
  const outside = mkdtempSync(join(tmpdir(), 'turnbuckle-outside-'))
  writeFileSync(join(outside, 'profile'), 'mine')
  symlinkSync(join(outside, 'profile'), join(root, 'AGENTS.md'))
  expect(note('x')).toEqual(['The note could not be written: AGENTS.md is a link that leads out of the project.'])
  expect(file()).toBe('mine')
  rmSync(outside, { recursive: true })
})
