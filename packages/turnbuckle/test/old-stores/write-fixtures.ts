import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConversationStore, postgresStore, sqliteStore } from 'turnbuckle/stores'
import { startPostgres } from '../postgres.ts'
import {
  type Copy,
  copyPostgres,
  copySqlite,
  expectedFile,
  postgresFile,
  type StoreKind,
  sqliteFile,
} from './fixture-stores.ts'
import { firstLife, laterLife, type Situation } from './life.ts'
import { dumpSchema } from './postgres-dump.ts'
import { relive, survey } from './relive.ts'
import { situations } from './situations.ts'

/** Writes the stores of this version into a new folder, and what this version itself makes of them. */
export async function writeFixtures(folder: string): Promise<void> {
  if (existsSync(folder))
    throw new Error(`There is ${folder}: fixtures are written once, by the version they are named after.`)
  mkdirSync(folder, { recursive: true })
  await fill(sqliteStore(join(folder, sqliteFile)))
  const postgres = await startPostgres()
  try {
    const url = await postgres.schema('written')
    await fill(postgresStore(url))
    writeFileSync(join(folder, postgresFile), await dumpSchema(url))
    const sqlite = await expectations('SQLite', copySqlite(folder))
    const other = await expectations('PostgreSQL', await copyPostgres(folder, postgres))
    const differ = situations.filter((_, i) => sqlite[i + 1] !== other[i + 1]).map(({ name }) => name)
    if (differ.length)
      throw new Error(`The two stores differ: ${differ.join(', ')}. Was the machine busy? Write them again.`)
    const lines = [sqlite[0], other[0], ...sqlite.slice(1)]
    writeFileSync(join(folder, expectedFile), `${lines.join('\n')}\n`)
  } finally {
    await postgres.stop()
  }
}

async function fill(store: ConversationStore): Promise<void> {
  for (const situation of situations) await writeSituation(store, situation)
  await store.set('fixtures', 'kept', { since: 'the version before' })
  await store.close()
}

async function writeSituation(store: ConversationStore, situation: Situation): Promise<void> {
  const { name, owner, dies, afterwards } = situation
  const life = firstLife(store.driver, situation)
  const agent = situation.agent(life)
  const chat = owner === undefined ? await agent.open(name) : agent.conversation({ owner })
  const written = situation.write(agent, chat)
  await (dies ? life.died : written)
  if (!dies) await chat.kept()
  // A commit that had begun when the process died is in the store or not at all.
  await new Promise(resolve => setTimeout(resolve, 20))
  if (!afterwards) return
  const later = situation.agent(laterLife(store, name))
  await afterwards(await later.open(name))
  await later.close()
}

/** The store as a whole, then each situation. */
async function expectations(kind: StoreKind, { open, remove }: Copy): Promise<readonly string[]> {
  const lines = [JSON.stringify({ name: kind, expected: await survey(open) })]
  for (const situation of situations)
    lines.push(JSON.stringify({ name: situation.name, expected: await relive(open, situation) }))
  remove()
  return lines
}
