import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InputHistory } from './input-history.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-history-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('up and down go through the lines and come back to the draft', () => {
  const history = new InputHistory(folder)
  for (const line of ['one', 'two', 'two']) history.add(line)
  const seen = [history.step(-1, 'draft'), history.step(-1, ''), history.step(-1, '')]
  expect(seen).toEqual(['two', 'one', undefined])
  expect([history.step(1, ''), history.step(1, ''), history.step(1, '')]).toEqual(['two', 'draft', undefined])
})

test('the next process has the last 1000 lines', () => {
  writeFileSync(join(folder, 'history.json'), JSON.stringify(Array.from({ length: 1000 }, (_, i) => `line ${i}`)))
  const history = new InputHistory(folder)
  for (let i = 1000; i < 1005; i++) history.add(`line ${i}`)
  const later = new InputHistory(folder)
  expect(later.step(-1, '')).toBe('line 1004')
  let oldest: string | undefined
  for (let line = later.step(-1, ''); line !== undefined; line = later.step(-1, '')) oldest = line
  expect(oldest).toBe('line 5')
})

test('lines that another chat has sent meanwhile are kept', () => {
  const [one, other] = [new InputHistory(folder), new InputHistory(folder)]
  one.add('from one')
  other.add('from the other')
  expect(other.lines).toEqual(['from one', 'from the other'])
})

test('a folder that cannot be written to loses nothing but the next process', () => {
  writeFileSync(join(folder, 'file'), '')
  const history = new InputHistory(folder)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  history.add('one')
  expect(history.step(-1, '')).toBe('one')
})
