import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as root from 'turnbuckle'
import * as ready from 'turnbuckle/middleware'
import * as stores from 'turnbuckle/stores'
import { afterAll, expect, test } from 'vitest'
import { namedDifferences } from './named-differences.ts'
import { namedPrograms } from './named-programs.ts'
import { Places } from './places.ts'
import { runProgram } from './run-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-named-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// `npm run test:same` has the version before play these programs first: each has to show its difference, and nothing else.
test.each(namedDifferences)('$name: a small program shows it', async ({ name }) => {
  const { program, now } = namedPrograms[name] ?? {}
  if (!program || now === undefined) throw new Error('There is no program that shows it.')
  const lines = await runProgram(program, () => ({ root, stores, ready }), new Places(folder).for(program))
  expect(lines.filter(line => line.startsWith(now))).not.toEqual([])
})

test('every program that shows a difference shows a named one', () => {
  expect(Object.keys(namedPrograms).sort()).toEqual(namedDifferences.map(({ name }) => name).sort())
})
