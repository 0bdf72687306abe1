import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as root from 'turnbuckle'
import * as ready from 'turnbuckle/middleware'
import * as stores from 'turnbuckle/stores'
import { afterAll, expect, test } from 'vitest'
import { anyProgram } from './any-program.ts'
import { Comparison } from './comparison.ts'
import { Places } from './places.ts'
import { kinds } from './program.ts'

// SAME_SEED=1 SAME_PROGRAMS=2000 npx vitest run same: a longer search.
const first = Number(process.env['SAME_SEED'] ?? 20261116)
const programs = Number(process.env['SAME_PROGRAMS'] ?? 40)

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-same-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// A SQLite file is worked on by a thread, whose answers come in no order that a virtual clock could repeat.
const repeatable = kinds.filter(kind => kind !== 'across')

test.each(repeatable)('a program is played twice in the same way: %s', async kind => {
  const library = { root, stores, ready }
  const comparison = new Comparison(library, library, new Places(folder))
  const last = first + programs
  for (let seed = first; seed < last; seed++) expect(await comparison.differ(anyProgram(seed, kind))).toBeUndefined()
})
