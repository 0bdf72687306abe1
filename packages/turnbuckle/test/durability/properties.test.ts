import fc from 'fast-check'
import { memoryStore, postgresStore, sqliteStore } from 'turnbuckle/stores'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../postgres.ts'
import { command, Program } from './command-program.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

// FC_RUNS=2000 FC_SEED=1 npx vitest run durability/properties: a longer search.
const numRuns = Number(process.env['FC_RUNS'] ?? 40)
const seed = Number(process.env['FC_SEED'] ?? 20261115)

test('any order of commands gives the same tree in memory, SQLite and PostgreSQL, with crashes and without', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 7 }), async commands => {
      const play = async (store: ReturnType<typeof memoryStore>, crashes: boolean) => {
        const program = new Program(store.driver, crashes)
        for (const next of commands) await program.do(next)
        const tree = await program.canonical()
        await store.close()
        return tree
      }
      const undisturbed = await play(memoryStore(), false)
      expect(await play(memoryStore(), true)).toEqual(undisturbed)
      expect(await play(sqliteStore(':memory:'), true)).toEqual(undisturbed)
      expect(await play(postgresStore(await postgres.schema('properties')), true)).toEqual(undisturbed)
    }),
    { numRuns, seed, timeout: 60_000 },
  )
})
