import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../postgres.ts'
import { type Copy, copyPostgres, copySqlite, expectedFile } from './fixture-stores.ts'
import { relive, survey } from './relive.ts'
import { situations } from './situations.ts'

// Earlier versions wrote the fixtures (write-fixtures.mjs), and no later one rewrites them. Where a test fails, this
// version reads, resumes or continues a stored conversation otherwise than the version that wrote it.
const here = fileURLToPath(new URL('.', import.meta.url))
const versions = readdirSync(here).filter(name => name.startsWith('written-by-'))

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const kinds = {
  SQLite: copySqlite,
  PostgreSQL: (folder: string) => copyPostgres(folder, postgres),
}

/**
 * Later versions may keep more private facts: notes of their own, which take places in the log, and fields of notes and rows.
 * Left out are those fields and the places (`n`), on both sides.
 */
function withoutPrivateFacts(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('n' in value)) return value
  const { n: _n, caller: _caller, ...rest } = value as Record<string, unknown>
  if (rest['type'] !== 'note.prompt') return rest
  const { attempt: _attempt, ...body } = rest['body'] as Record<string, unknown>
  return { ...rest, body }
}

/**
 * Facts that only later versions tell, left out on both sides: why a model ended, what is known of a cost that is not complete, the words of a
 * pattern, the message of a call's events, the states of hooks in a result; of a replay what it used, its texts and what it could not check.
 * Questions on a log have no deadline of their own any more, and one that has ended is not opened again for who reads a resumed turn.
 */
function withoutLaterFacts(_key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(line => !/^\d+ request\.opened$/.test(String(line)))
  if (typeof value !== 'object' || value === null) return value
  if ('outcome' in value && 'differences' in value) return replayedBefore(value as Record<string, unknown>)
  const {
    knownCost: _known,
    unknownCalls: _unknown,
    covers: _covers,
    denies: _denies,
    ...rest
  } = value as Record<string, unknown>
  if ('callId' in rest && /^tool\./.test(String(rest['type']))) return { ...rest, messageId: undefined }
  const { finishReason: _finish, states: _states, shared: _shared, ...end } = rest
  if ('by' in rest && 'usage' in rest) return end
  const { deadline: _deadline, ...question } = rest
  return 'kind' in rest && 'payload' in rest ? question : rest
}

/** A replay as the version that wrote the fixtures told it: nothing was used in it. */
function replayedBefore(replayed: Record<string, unknown>): unknown {
  const { usage: _usage, texts: _texts, unverified: _unverified, ...rest } = replayed
  const { usage: _used, states: _states, shared: _shared, ...result } = rest['result'] as Record<string, unknown>
  return { ...rest, result }
}

const comparable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(JSON.parse(JSON.stringify(value, withoutPrivateFacts)), withoutLaterFacts))

interface Line {
  readonly name: string
  readonly expected: unknown
}

for (const version of versions)
  for (const [kind, copyOf] of Object.entries(kinds))
    describe(`a store on ${kind}, ${version}`, () => {
      const folder = `${here}${version}`
      const lines = readFileSync(`${folder}/${expectedFile}`, 'utf8').trim().split('\n')
      const expected = new Map(lines.map(line => JSON.parse(line) as Line).map(line => [line.name, line.expected]))
      // Each test writes to a conversation of its own.
      let shared: Copy
      beforeAll(async () => {
        shared = await copyOf(folder)
      })
      afterAll(() => shared.remove())

      test('is listed, searched, exported and replayed as by the version that wrote it', async () => {
        const { open, remove } = await copyOf(folder)
        expect(comparable(await survey(open))).toEqual(comparable(expected.get(kind)))
        remove()
      })

      for (const situation of situations)
        test(`${situation.fact}: is read, resumed and appended to as by the version that wrote it`, async () => {
          expect(expected.has(situation.name)).toBe(true)
          const lived = comparable(await relive(shared.open, situation))
          expect(lived).toEqual(comparable(expected.get(situation.name)))
        })
    })
