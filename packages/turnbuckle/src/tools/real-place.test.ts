import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { realPlace } from './real-place.ts'

let base: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'turnbuckle-')))
  symlinkSync('.', join(base, 'link'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(base, { recursive: true })
})

test('links are followed in what is there, and names of what is not are kept', () => {
  expect(realPlace(join(base, 'link'))).toBe(base)
  expect(realPlace(join(base, 'link/new/file'))).toBe(join(base, 'new/file'))
  expect(realPlace(join(base, 'link', 'd/'.repeat(150), 'file'))).toBe(join(base, 'd/'.repeat(150), 'file'))
})

test.each([
  ['long', 40_000, 0],
  ['deep', 1000, 201],
])('the system is not asked for every level of a path that is too %s', (_, levels, most) => {
  const asked = vi.spyOn(realpathSync, 'native')
  const path = join(base, 'link', 'a/'.repeat(levels), 'file')
  expect(realPlace(path)).toBe(path)
  expect(asked.mock.calls.length).toBeLessThanOrEqual(most)
})
