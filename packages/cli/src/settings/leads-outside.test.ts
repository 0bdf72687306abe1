import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { leadsOutside } from './leads-outside.ts'

test('a link out of the project, or to nothing, leads outside; a file, a link inside and nothing do not', () => {
  const place = mkdtempSync(join(tmpdir(), 'turnbuckle-links-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const root = join(place, 'project')
  mkdirSync(root)
  mkdirSync(join(place, 'project-beside'))
  writeFileSync(join(root, 'file'), '')
  writeFileSync(join(place, 'secret'), '')
  symlinkSync(join(root, 'file'), join(root, 'inside'))
  symlinkSync(join(place, 'secret'), join(root, 'outside'))
  symlinkSync(join(place, 'project-beside'), join(root, 'beside'))
  symlinkSync(join(root, 'gone'), join(root, 'dangling'))
  const names = ['file', 'inside', 'nothing', 'outside', 'beside', 'dangling']
  expect(names.filter(name => leadsOutside(root, name))).toEqual(['outside', 'beside', 'dangling'])
})
