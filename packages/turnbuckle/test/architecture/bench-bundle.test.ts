import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../bundle-program.ts'

test('what the benchmark puts in place of the models has all that the programs import of them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-bench-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = `import { bundleParts } from '${root}bench/ships/bundle.mjs'
    bundleParts(process.argv[1])`
  execFileSync(process.execPath, ['--input-type=module', '-e', program, folder])
  expect(readFileSync(join(folder, 'parts.mjs'), 'utf8')).toContain('createServer')
})
